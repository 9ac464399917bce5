/** Fields of the schemas for models, each with a description and an error message. */
import type { z } from "zod"

type Zod = typeof z

/** A text that must not be empty. */
export const textField = (zod: Zod, about: string, wrong: string): z.ZodString =>
  zod.string({ error: wrong }).min(1, wrong).describe(about)

/** A text that must not be empty, with a maximum length. */
export const shortField = (zod: Zod, about: string, wrong: string, most: number): z.ZodString =>
  textField(zod, about, wrong).max(most, `must have at most ${most} characters`).describe(about)

/** One of a few words, which the error message names. */
export const choiceField = <const Words extends readonly [string, ...string[]]>(
  zod: Zod,
  about: string,
  words: Words,
): z.ZodType<Words[number]> => zod.enum(words, { error: `must be one of ${words.join(", ")}` }).describe(about)

/** The list of items in a call. */
export const listField = <Item extends z.ZodType>(zod: Zod, about: string, item: Item): z.ZodArray<Item> =>
  zod.array(item, { error: "must be a list" }).describe(about)
