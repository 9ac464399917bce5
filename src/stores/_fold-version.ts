/** What a folded state was made by: one that was made otherwise is not gone on from. */
import { entryVersion, eventKinds } from "../plan/index.ts"

/** Raised whenever the same entries are folded otherwise than before. */
export const foldedAs = 13

/** What was understood of a log when it was folded: a Headway that understands more folds it again. */
export const understood = [entryVersion, ...eventKinds].join(" ")

export const foldVersion = `${foldedAs} ${understood}`
