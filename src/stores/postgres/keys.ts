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

/** A tracker passes the same key with every entry. */
const known = new WeakMap<PlanKey, PlanKey & { digest: string }>()

/** However long the ids are, an index on this takes 16 bytes. */
export const keyDigest = (key: PlanKey): string => {
  const { session, agent } = key
  const last = known.get(key)
  if (last?.session === session && last.agent === agent) return last.digest
  const made = digest(keyText(key))
  known.set(key, { session, agent, digest: made })
  return made
}

export const idDigest = (id: string): string => digest(JSON.stringify(id))

const digest = (text: string): string => hash("sha256", text).slice(0, 32)
