/**
 * The title of an opencode session: by a model, or a placeholder until there is one. A sub-agent's title names its
 * kind.
 */
import { known, nameIn } from "../../streams/line.ts"

export const titleIn = (title: unknown, agent?: unknown): { title?: string; role?: string } => {
  const name = nameIn(title)
  const [, words = name, kind] = /^(.*) \(@(\S+) subagent\)$/.exec(name ?? "") ?? []
  return known({ title: words === undefined || isPlaceholder(words) ? undefined : words, role: kind ?? nameIn(agent) })
}

/** The beginnings of placeholder titles. A time follows. */
export const placeholders: readonly string[] = ["New session - ", "Child session - "]

const isPlaceholder = (title: string): boolean =>
  placeholders.some((start) => title.startsWith(start) && /^\d{4}-\d\d-\d\dT[\d:.]+Z/.test(title.slice(start.length)))
