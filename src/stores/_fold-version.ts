/** The version of folding: a state folded by another version is not used. */
import { entryVersion, eventKinds } from "../plan/index.ts"

/** Increase this whenever the same entries fold to a different state. */
export const foldedAs = 24

/** The event types known at the time of folding: a newer Headway folds the log again. */
export const understood = [entryVersion, ...eventKinds].join(" ")

export const foldVersion = `${foldedAs} ${understood}`
