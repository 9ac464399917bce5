/** Every word agents and models use for a status, as whole words: `incomplete` is not `complete`. */
import type { TodoStatus } from "../todo.ts"

const words: Record<TodoStatus, string> = {
  pending:
    "pending todo to_do open not_started notstarted new queued waiting_to_start incomplete not_done unstarted backlog planned created ready unchecked not_completed not_complete unfinished scheduled upcoming next",
  in_progress:
    "in_progress inprogress doing active started working current ongoing running wip in_work underway under_way work_in_progress progress processing executing in_process",
  blocked:
    "blocked failed failing error errored stuck waiting on_hold paused hold needs_input failure blocked_by deferred",
  completed:
    "completed complete done finished closed resolved success succeeded successful checked fixed passed verified x",
  cancelled:
    "cancelled canceled abandoned dropped skipped deleted removed obsolete wont_do wontfix wont_fix cancel skip rejected not_needed discarded",
}

const synonyms = new Map<string, TodoStatus>(
  Object.entries(words).flatMap(([status, list]) => list.split(" ").map((word) => [word, status as TodoStatus])),
)

/** Longer than any word for a status, with what is around it. */
const longest = 200

/** The status a word means, or undefined when no synonym explains it. */
export const readStatus = (raw: unknown): TodoStatus | undefined => {
  if (typeof raw === "boolean") return raw ? "completed" : "pending"
  const known = typeof raw === "string" ? synonyms.get(raw) : undefined
  if (known !== undefined) return known
  // "50% done" and "未 done" say something else than "done": signs around a word are ornament, letters and digits are not.
  if (typeof raw !== "string" || /(?![A-Za-z])[\p{L}\p{N}]/u.test(raw)) return undefined
  const word = raw
    .trim()
    .slice(0, longest)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^a-z]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .replace(/^(?:todo|task|item)_status_|^status_/, "")
  return synonyms.get(word)
}
