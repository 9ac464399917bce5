/** Reading what a client sent without trusting its shape: a wrong type reads as nothing. */
import { isRecord } from "../../plan/log/shape.ts"
import type { AskedPart } from "../exchange.ts"

export type Fields = Record<string, unknown>

export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** Content as all wires but one have it: a text, or blocks with a `text`. */
export const contentText = (value: unknown): string =>
  typeof value === "string" ? value : texts(listOf(value).map(({ text }) => text)).join("\n")

export const texts = (values: readonly unknown[]): string[] =>
  values.filter((value): value is string => typeof value === "string" && value !== "")

export const textPart = (text: string): AskedPart[] => (text === "" ? [] : [{ type: "text", text }])

/** Arguments travel as text on most wires; broken ones stay text. */
export const parsedInput = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
