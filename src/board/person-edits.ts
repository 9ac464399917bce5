/** What a person changes through the board: the todos of a plan, and the title of a session. Nothing they write is lost. */
import type { SessionNames } from "../home/names.ts"
import { type Actor, isHeadwayError, messageOf, type Plan, sanitise } from "../plan/index.ts"
import { shortened } from "../sessions/title.ts"
import type { PlanKey } from "../stores/store.ts"
import type { BoardEdit, EditResult } from "../views/board/session.ts"
import { whenToldText } from "../views/when-told.ts"
import { applyBoardEdit, type Checklist } from "./edit.ts"
import { followSession } from "./follow-session.ts"
import type { KeptPlans } from "./kept-plans.ts"
import type { BoardRows, FindWhenTold } from "./rows.ts"

export type PersonEditsOptions = {
  find: BoardRows["find"]
  isReadOnly: (key: string) => boolean
  kept: Pick<KeptPlans, "open" | "update">
  names: SessionNames | undefined
  now: () => Date
  person: Actor
  checklist: Checklist
  /** Saves a text that could not be applied. Returns the path. */
  keepText: (text: string) => string
  whenToldOf: FindWhenTold
  onChange: () => void
}

/** See `edit` of the board. */
export type EditRow = (key: string, change: BoardEdit, seen: Plan | undefined) => Promise<EditResult>

export const createPersonEdits = (options: PersonEditsOptions): EditRow => {
  const { find, isReadOnly, kept, names, now, person, checklist, keepText, whenToldOf, onChange } = options

  const rename = async ({ session, agent }: PlanKey, title: string): Promise<EditResult> => {
    if (!names) return refused("Sessions cannot be renamed here.")
    const name = shortened(title)
    await names.name({ session, agent }, name === "" ? undefined : name)
    onChange()
    return { outcome: "changed", message: name === "" ? "it shows its own title again" : `renamed: ${name}` }
  }

  const edit = async (key: string, change: BoardEdit, seen: Plan | undefined): Promise<EditResult> => {
    const { plan, seen: session } = find(key) ?? {}
    const subject = session ?? plan
    if (!subject) return refused("That session no longer exists.")
    if (isReadOnly(key)) return refused("This plan is read-only.")
    if (change.kind === "rename") return rename(subject, change.title)
    const tracker = await kept.open(subject)
    if (session) await followSession(tracker, session, now())
    const before = tracker.ledger.untold.size
    const { message, ...applied } = await applyBoardEdit(tracker, change, { by: person, seen, checklist })
    kept.update(tracker)
    onChange()
    // Changes that were undone before the agent was told, or that had no effect, need no notice.
    const whenTold = tracker.ledger.untold.size > before ? whenToldOf(tracker, session?.state) : undefined
    return { ...applied, message: sanitise(whenTold ? `${message}; ${whenToldText(whenTold)}` : message) }
  }

  /** Text from an editor that could not be applied is saved, so that nothing a person wrote is lost. */
  const refusal = (cause: unknown, change: BoardEdit): EditResult => {
    const isOurs = isHeadwayError(cause) && cause.code !== "store-failed" && cause.code !== "store-full"
    // One line has no room for the file and the reason; the reason names the place.
    const why = sanitise(messageOf(!isOurs && cause instanceof Error ? (cause.cause ?? cause) : cause))
    if (change.kind !== "text") return refused(isOurs ? why : `Nothing was changed: ${why}`)
    return refused(`${why} Your text is kept in ${keepText(change.text)}.`)
  }

  return (key, change, seen) => edit(key, change, seen).catch((cause: unknown) => refusal(cause, change))
}

const refused = (message: string): EditResult => ({ outcome: "refused", message })
