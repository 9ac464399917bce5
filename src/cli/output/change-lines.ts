/** The board as plain lines: one for every change a person could see, for logs and for terminals that can do no more. */
import { sanitise } from "../../plan/text/sanitise.ts"
import type { SessionRow, WatchedRows } from "../../views/board/session.ts"
import type { Context } from "../command.ts"
import { printJsonLine } from "./plan-json.ts"
import { say } from "./say.ts"
import { doing, shortNames } from "./session-table.ts"

/** First a line for each agent that is at work or waits, then one for each change. Goes on until the returned function is called. */
export const printChanges = (source: WatchedRows, { io, values }: Context): (() => void) => {
  const printed = new Map<string, string>()
  let notice: string | undefined
  const print = (session: SessionRow, short: string): void => {
    const at = io.now().toISOString()
    io.out(values.json ? printJsonLine({ at, ...factsOf(session) }) : `${at}  ${lineOf(session, short)}\n`)
  }
  const check = (isFirst: boolean): void => {
    const { sessions } = source
    const short = shortNames(sessions.map(({ session }) => session))
    for (const session of sessions) {
      const text = lineOf(session, session.session)
      if (printed.get(session.key) === text) continue
      printed.set(session.key, text)
      if (!isFirst || isAwake(session)) print(session, short.get(session.session) ?? session.session)
    }
    if (source.notice !== undefined && source.notice !== notice) say(io, source.notice)
    notice = source.notice
  }
  check(true)
  return source.subscribe(() => check(false))
}

const isAwake = ({ state }: SessionRow): boolean => state === "working" || state === "waiting" || state === "stalled"

const lineOf = (session: SessionRow, name: string): string => {
  const { agentType, agent, project, state, progress, todos } = session
  const who = agent === "main" ? name : `${name}/${agent}`
  const done = todos > 0 ? [`${progress.completed}/${progress.total}`] : []
  const now = doing({ ...session, isFinished: progress.completed === progress.total })
  return [project, `${agentType} ${who}`, state, ...done, now].map(sanitise).join("  ")
}

const factsOf = (session: SessionRow) => {
  const { agentType, agent, project, state, waitsFor, error, planTool, updated, progress, todos, current } = session
  const facts = { session: session.session, agent, agentType, project, state, waitsFor, error }
  return { ...facts, planTool, updated, progress, todos, current }
}
