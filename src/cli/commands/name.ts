/** `headway name`: what a person calls a session, for good and wherever sessions are shown. */
import { withNames } from "../../board/joined-session.ts"
import { nameKey } from "../../home/names.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { shortened } from "../../sessions/title.ts"
import { chooseNamed } from "../chosen-session.ts"
import { defineCommand } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { namedSession, namesIn } from "../plans.ts"

const usage = "name SESSION [TITLE…] [--clear]"

export const name = defineCommand({
  usage,
  about: `Calls a session what you want, for good: in list, on the board, in notifications and in the status line.

Your name counts more than the title its agent gave it. The agent's own files are left as they are. Without TITLE it prints
what the session is called. A sub-agent is named with --agent.`,
  options: {
    clear: { type: "boolean", about: "take your name away, so that the session goes by its own title again" },
  },
  maxWords: Number.POSITIVE_INFINITY,
  examples: ['headway name 01a1e08b "Pay the invoices"', "headway name 01a1e08b", "headway name 01a1e08b --clear"],
  async run(context) {
    const { io, values, words } = context
    const [session = namedSession(context), ...title] = words
    if (session === undefined) throw new HeadwayError("usage", `Which session? Usage: headway ${usage}`)
    const wanted = shortened(title.join(" "))
    if (values.clear && title.length > 0) throw new HeadwayError("usage", "Give a TITLE or --clear, not both.")
    if (!values.clear && title.length > 0 && wanted === "") throw new HeadwayError("usage", "A name needs letters.")
    const { key, session: found } = await chooseNamed(context, { session, mayBegin: false })
    if (!found) throw new HeadwayError("no-session", `There is no agent "${key.agent}" in session "${key.session}".`)
    const names = namesIn(context)
    const isNamed = names.read().has(nameKey(key))
    if (values.clear || wanted !== "") await names.name(key, values.clear ? undefined : wanted)
    const [{ title: called } = found] = withNames([found], names.read())
    if (values.json) io.out(printJson({ ...key, agentType: found.agentType, title: called ?? null }))
    else if (called !== undefined) io.out(`${called}\n`)
    else say(io, "this session has no title")
    if (values.clear && !isNamed) say(io, "you had given it no name")
    return called === undefined || (values.clear && !isNamed) ? 1 : 0
  },
})
