/** Fields of the schemas that models are shown: each says what it is for, and what is wrong when it does not fit. */
import type { z } from "zod"

type Zod = typeof z

/** A text that must say something. */
export const textField = (zod: Zod, about: string, wrong: string): z.ZodString =>
  zod.string({ error: wrong }).min(1, wrong).describe(about)

/** The same with a greatest length. */
export const shortField = (zod: Zod, about: string, wrong: string, most: number): z.ZodString =>
  textField(zod, about, wrong).max(most, `must have at most ${most} characters`).describe(about)

/** One of a few words; the message names them. */
export const choiceField = <const Words extends readonly [string, ...string[]]>(
  zod: Zod,
  about: string,
  words: Words,
): z.ZodType<Words[number]> => zod.enum(words, { error: `must be one of ${words.join(", ")}` }).describe(about)

/** A list of items, the reason for the call. */
export const listField = <Item extends z.ZodType>(zod: Zod, about: string, item: Item): z.ZodArray<Item> =>
  zod.array(item, { error: "must be a list" }).describe(about)
