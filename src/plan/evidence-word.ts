/** The words for the evidence of a done todo, shared by the code that finds it and the code that shows it. */

/**
 * `verified`: a check that the person set has passed when Headway ran it. `backed`: a check of the agent passed after the
 * last edit, or one that it or the project proposed passed when Headway ran it.
 * `unchecked`: edited, and no check passed since. `contradicted`: the last check failed and nothing was edited since.
 * `nothing-seen`: neither an edit nor a check. `delegated`: given to a sub-agent whose work is not known. `not-started`:
 * never in progress, and nothing was seen that belongs to it.
 */
export const evidenceWords = [
  "verified",
  "backed",
  "unchecked",
  "contradicted",
  "nothing-seen",
  "delegated",
  "not-started",
] as const

export type EvidenceWord = (typeof evidenceWords)[number]
