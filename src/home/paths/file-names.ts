/** Ids become file names: no two ids share one, none can leave its folder, none is too long for a disk. */
import type { PlanKey } from "../../plan/event.ts"
import { sha256Of } from "./short-digest.ts"

/** Room for two ids, the word between them, an ending and a temporary file's marks within 255 bytes. */
const maxLength = 100
const prefixLength = 60

/** `<session>-agent-<agent>`, without ending. */
export const planFileName = ({ session, agent }: PlanKey): string => `${part(session)}-agent-${part(agent)}`

/** The name for ids whose plain name is taken by ids that differ only in case, on a case-insensitive disk. */
export const hashedNameOf = ({ session, agent }: PlanKey): string =>
  `${hashed(session, escapeId(session))}-agent-${hashed(agent, escapeId(agent))}`

const part = (id: string): string => {
  const escaped = escapeId(id)
  return escaped.length > maxLength ? hashed(id, escaped) : escaped
}

const hashed = (id: string, escaped: string): string => {
  const hash = sha256Of(JSON.stringify(id)).slice(0, 24)
  return `${escaped.slice(0, prefixLength).replace(/%.?$/, "")}~${hash}`
}

/**
 * Letters, digits, dot, underscore and hyphen stay; a leading dot hides no file; `-agent-` can only be the one between the
 * ids. Half a character, which has no encoding, is told by its number.
 */
const escapeId = (id: string): string =>
  id
    .split(/([\ud800-\udfff])/u)
    .map((text, index) => (index % 2 === 0 ? encodeURIComponent(text) : `%${text.charCodeAt(0).toString(16)}`))
    .join("")
    .replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\./, "%2E")
    .replace(/-(?=agent(?:-|$))/g, "%2D") || "%"

/** The ids a file name encodes, or undefined if only the plan itself contains them. */
export const keyOf = (name: string): PlanKey | undefined => {
  const at = name.indexOf("-agent-")
  if (at < 0 || name.includes("~")) return undefined
  try {
    const read = (text: string): string => (text === "%" ? "" : decodeURIComponent(text))
    return { session: read(name.slice(0, at)), agent: read(name.slice(at + "-agent-".length)) }
  } catch {
    return undefined
  }
}
