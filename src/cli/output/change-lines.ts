/** The board as plain lines: one for every visible change, for logs and simple terminals. */
import { sanitise } from "../../plan/text/sanitise.ts"
import type { SessionRow, WatchedRows } from "../../views/board/session.ts"
import { displayNames } from "../../views/display-names.ts"
import type { Context } from "../command.ts"
import { printJsonLine } from "./plan-json.ts"
import { say } from "./say.ts"
import { doing } from "./session-table.ts"

/**
 * First a line for each agent that is at work or waits, then one for each change. Runs until the returned function is
 * called.
 */
export const printChanges = (source: WatchedRows, { io, values }: Context): (() => void) => {
  const printed = new Map<string, string>()
  let notice: string | undefined
  const print = (session: SessionRow, short: string): void => {
    const at = io.now().toISOString()
    io.out(values.json ? printJsonLine({ at, ...factsOf(session) }) : `${at}  ${lineOf(session, short)}\n`)
  }
  const check = (isFirst: boolean): void => {
    const { sessions } = source
    const names = displayNames(sessions)
    for (const session of sessions) {
      // The display name may change when other sessions appear; that is not a change of this session.
      const text = lineOf(session, `${session.session} ${session.title}`)
      if (printed.get(session.key) === text) continue
      printed.set(session.key, text)
      const { name = session.session, id } = names.get(session) ?? {}
      if (!isFirst || isAwake(session)) print(session, id === undefined ? name : `${id} ${name}`)
    }
    if (source.notice !== undefined && source.notice !== notice) say(io, source.notice)
    notice = source.notice
  }
  check(true)
  return source.subscribe(() => check(false))
}

const isAwake = ({ state }: SessionRow): boolean => state === "working" || state === "waiting" || state === "stalled"

const lineOf = (session: SessionRow, name: string): string => {
  const { agentType, project, state, progress, todos } = session
  const done = todos > 0 ? [`${progress.completed}/${progress.total}`] : []
  const now = doing({ ...session, isFinished: progress.completed === progress.total })
  return [project, `${agentType} ${name}`, state, ...done, now].map(sanitise).join("  ")
}

const factsOf = (session: SessionRow) => {
  const { agentType, agent, project, state, waitsFor, error, planTool, updated, progress, todos, current } = session
  const { title, role, upcoming } = session
  const facts = { session: session.session, agent, agentType, project, title, role, state, waitsFor, error }
  return { ...facts, planTool, updated, progress, todos, current, upcoming }
}
