/** Fingerprints of lists: equal lists have equal ones, whatever the ids of their todos are. */
import { hash } from "node:crypto"
import type { Plan } from "../plan/index.ts"

export const fingerprintOf = ({ todos, phases }: Pick<Plan, "todos" | "phases">): string =>
  digestOf([todos.map(({ id: _, ...content }) => content), phases])

/** Of text, status and owner only, because two copies of a list may differ in the rest. */
export const outlineOf = ({ todos }: Pick<Plan, "todos">): string =>
  digestOf(todos.map(({ content, status, owner }) => [content, status, owner]))

const digestOf = (data: unknown): string => hash("sha1", JSON.stringify(data), "base64url").slice(0, 16)
