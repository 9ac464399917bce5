/** A list of opencode's todos as the house's signal, wherever it was seen: an event, an answer, the database. */
import { snapshot } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"

export const opencodeSnapshot = (
  todos: unknown,
  about: { agent?: string | undefined; session?: string | undefined; at?: unknown },
): Signal =>
  snapshot(about.agent ?? "main", "opencode", {
    tool: "todowrite",
    input: { todos },
    session: about.session,
    at: about.at,
  })
