/** A time that all processes of this machine share, and that is never set. */

/** In milliseconds since some moment, usually the start of the machine. */
export const sharedTime = (): number => Number(process.hrtime.bigint()) / 1e6
