/** All input limits in one place: far above what any agent or person needs, and low enough that nothing hangs. */

export const limits = {
  /** Characters in the input of one call, where it comes as text. */
  input: 16_000_000,
  /** Characters of text that is not valid JSON and has to be repaired. */
  repaired: 5_000_000,
  /** Brackets within brackets in text that has to be repaired or is not JSON. Valid JSON may be deeper. */
  depth: 64,
  /** Operations in one call. */
  operations: 1_000,
  todos: 100_000,
  phases: 1_000,
  /** Characters in the text of a todo and in its active form. */
  content: 20_000,
  /** Characters in a description, a note or a reason: they may be long, but are not meant for whole files. */
  details: 100_000,
} as const
