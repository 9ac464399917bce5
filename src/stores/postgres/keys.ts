/** Encodes ids for the database: any text as an index of fixed width, and as readable text. */
import { hash } from "node:crypto"
import { keyText } from "../../plan/plan-key.ts"
import type { PlanKey } from "../store.ts"

/** A text as it stands between the quotes of JSON: the database has no form for a null character or half a surrogate pair. */
export const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

export const unescaped = (text: string): string => {
  if (!text.includes("\\")) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** However long the ids are, an index on this takes 16 bytes. */
export const keyDigest = (key: PlanKey): string => digest(keyText(key))

export const idDigest = (id: string): string => digest(JSON.stringify(id))

const digest = (text: string): string => hash("sha256", text).slice(0, 32)
