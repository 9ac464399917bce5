/** The version of the package, put in by the build. */

declare const HEADWAY_VERSION: string | undefined

export const version: string = typeof HEADWAY_VERSION === "string" ? HEADWAY_VERSION : "0.0.0-source"
