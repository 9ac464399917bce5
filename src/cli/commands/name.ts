/** `headway name`: gives a session a permanent title, shown everywhere. */
import { withNames } from "../../board/joined-session.ts"
import { nameKey } from "../../home/names.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { shortened } from "../../sessions/title.ts"
import { chooseNamed } from "../choose/chosen-session.ts"
import { namedSession, namesIn } from "../choose/plans.ts"
import { defineCommand } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"

const usage = "name SESSION [TITLE…] [--clear]"

export const name = defineCommand({
  usage,
  about: `Gives a session a title of your own, which list, the board, notifications and the status line show from then on.

It takes the place of the agent's title; the agent's own files stay as they are. Without TITLE, prints the current title. For
a sub-agent, add --agent.`,
  options: {
    clear: { type: "boolean", about: "remove your title and show the agent's again" },
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
    else say(io, values.clear && isNamed ? "removed; this session has no other title" : "this session has no title")
    if (values.clear && !isNamed) say(io, "you had not given it a title")
    return values.clear ? Number(!isNamed) : Number(called === undefined)
  },
})
