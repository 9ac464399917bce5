/** Reads untrusted fields of a request: a wrong type counts as missing. */
import { isRecord } from "../../plan/log/shape.ts"
import type { AskedPart } from "../exchange.ts"

export type Fields = Record<string, unknown>

export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The text of a content, which is a string or a list of blocks with a `text` on all wires but one. */
export const contentText = (value: unknown): string =>
  typeof value === "string" ? value : texts(listOf(value).map(({ text }) => text)).join("\n")

export const texts = (values: readonly unknown[]): string[] =>
  values.filter((value): value is string => typeof value === "string" && value !== "")

export const textPart = (text: string): AskedPart[] => (text === "" ? [] : [{ type: "text", text }])

/** Parses arguments, which are text on most wires. Invalid ones stay text. */
export const parsedInput = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
