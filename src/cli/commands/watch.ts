/** `headway watch`: the board over the agents' own session files; as lines, or once as a list, if there is no terminal. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { byKey, isKeptFor, keyOf, listSessions } from "../../board/joined-session.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { allOption, notifying, openSaying, showBoard } from "../board/board-screen.ts"
import { notifyOption } from "../board/notify.ts"
import { openLiveBoard } from "../board/open-board.ts"
import { askedFor, asksForOne } from "../choose/asked-for.ts"
import { reporter } from "../choose/plans.ts"
import { plansInStep, sessionsAt } from "../choose/sessions-here.ts"
import { type Context, defineCommand } from "../command.ts"
import { printChanges } from "../output/change-lines.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { printSessions } from "../output/session-table.ts"
import { storeOf, withoutUntrusted } from "../place/place.ts"
import type { Options } from "../words/option.ts"

const options = {
  all: allOption,
  follow: { type: "boolean", short: "f", about: "print a line for every change instead of the board, until stopped" },
  notify: notifyOption,
} as const satisfies Options

type WatchContext = Context<typeof options>

export const watch = defineCommand({
  usage: "watch [PATH…] [--all] [--notify bell|COMMAND] [--follow]",
  about: `Shows the sessions of all agents on this machine as they change, or only those at PATH: a person's home, an agent's folder,
or a single file of an agent's session or output. What you change on the board is kept by Headway; agents' files are only read.
Sessions outside the agents' own folders on this machine cannot be changed. With --session, only that session and its sub-agents are shown.

When output is not a terminal, it prints the list once; with --follow or --notify it then prints one line for each change.`,
  options,
  maxWords: Number.POSITIVE_INFINITY,
  examples: [
    "headway watch",
    "headway watch ~/.codex --notify bell",
    `headway watch --notify 'notify-send -- "$HEADWAY_MESSAGE"'`,
    "headway watch --follow --json | jq -r .state",
  ],
  async run(context) {
    const { io, values } = context
    const paths = pathsIn(context)
    const isScreen = io.isTerminal.in && io.isTerminal.out && io.env.TERM !== "dumb"
    const isFollowed = values.follow === true || (values.notify !== undefined && !isScreen)
    const open = (onProgress: (done: number, total: number) => void) =>
      openLiveBoard(context, {
        paths,
        shows: "sessions",
        isAll: values.all === true || asksForOne(context),
        onProgress,
      })
    if (isFollowed) return followed(context, open)
    return isScreen && !values.json ? showBoard(context, open) : printOnce(context, paths)
  },
})

const pathsIn = ({ io, words }: Context): string[] | undefined => {
  const paths = words.map((word) => resolve(io.cwd, word))
  const missing = paths.findIndex((path) => !existsSync(path))
  if (missing >= 0)
    throw new HeadwayError(
      "not-found",
      `There is no ${words[missing]}. Name a person's home, an agent's folder such as ~/.claude, or a session file.`,
    )
  return paths.length > 0 ? paths : undefined
}

/** Until it is asked to end. */
const followed = async (context: WatchContext, open: Parameters<typeof openSaying>[1]): Promise<number> => {
  const { io } = context
  const signal = io.stopped()
  const source = await openSaying(context, open)
  try {
    const stops = [notifying(context, source, (message) => say(io, message)), printChanges(source, context)]
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener("abort", () => resolve())
    })
    for (const stop of stops) stop()
  } finally {
    await source.close()
  }
  return 0
}

const printOnce = async (context: WatchContext, paths: readonly string[] | undefined): Promise<number> => {
  const { io, values } = context
  const sessions = await sessionsAt(context, paths)
  const seen = byKey(sessions)
  const store = await storeOf(withoutUntrusted(context))
  const { plans: kept, problems } = await store.list()
  problems.forEach(reporter(context))
  const plans = kept.filter((plan) => {
    const session = seen.get(keyOf(plan))
    return session !== undefined && isKeptFor(plan, session)
  })
  const all = listSessions(await plansInStep(context, { plans, sessions, store }), sessions, io.now())
  const listing = all.filter(askedFor(context, all))
  if (values.json) io.out(printJson(listing))
  else if (listing.length > 0) printSessions(context, listing)
  else say(io, `no agent sessions ${paths ? "there" : "on this machine"} yet`)
  return 0
}
