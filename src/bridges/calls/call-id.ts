/** The id a plan keeps of a call: some model services reuse ids, so the call's content is part of it. */
import { createHash } from "node:crypto"

/** Equal for one call that is seen twice, and different for two calls that were given one id. */
export const callIdOf = (id: string, input: unknown): string => {
  const content = contentOf(input)
  return content === undefined ? id : `${id} ${createHash("sha256").update(content).digest("hex").slice(0, 16)}`
}

/** Undefined where a value is nested too deep, or in a circle, or is nothing that JSON knows. */
const contentOf = (input: unknown): string | undefined => {
  try {
    return typeof input === "string" ? input : JSON.stringify(input)
  } catch {
    return undefined
  }
}
