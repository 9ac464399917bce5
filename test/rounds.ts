/** How often tests try what chance decides: a tenth of it in `npm test`, where the choices are new each time, and all of it in `npm run attack`. */

export const isFull = process.env.HEADWAY_ATTACK === "full"

/** The number for this run, given that of the full form. */
export const rounds = (full: number, short = Math.ceil(full / 10)): number => (isFull ? full : short)
