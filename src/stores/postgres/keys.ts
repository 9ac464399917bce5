/** Encodes ids for the database: any text as an index of fixed width, and as readable text. */
import { hash } from "node:crypto"
import { keyText } from "../../plan/plan-key.ts"
import type { PlanKey } from "../store.ts"

/** A text as written between the quotes of JSON: the database cannot store a null character or half a surrogate pair. */
export const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

export const unescaped = (text: string): string => {
  if (!text.includes("\\")) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** A key as the database has it: 16 bytes for an index, however long the ids are, and its texts. */
export type KeyTexts = { digest: string; session: string; agent: string }

/** A tracker passes the same key with every entry. */
const known = new WeakMap<PlanKey, { key: PlanKey; texts: KeyTexts }>()

export const keyTexts = (key: PlanKey): KeyTexts => {
  const { session, agent } = key
  const last = known.get(key)
  if (last?.key.session === session && last.key.agent === agent) return last.texts
  const texts = { digest: digest(keyText(key)), session: escaped(session), agent: escaped(agent) }
  known.set(key, { key: { session, agent }, texts })
  return texts
}

export const keyDigest = (key: PlanKey): string => keyTexts(key).digest

export const idDigest = (id: string): string => digest(JSON.stringify(id))

const digest = (text: string): string => hash("sha256", text).slice(0, 32)
