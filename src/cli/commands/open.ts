/** `headway open`: resumes a session in its own client and folder. */
import type { JoinedSession } from "../../board/joined-session.ts"
import { chooseNamed, chooseNewest } from "../choose/chosen-session.ts"
import { namedSession, noPlan } from "../choose/plans.ts"
import { withSessionWord } from "../choose/target.ts"
import { defineCommand } from "../command.ts"
import { openSession } from "../open/open-session.ts"
import { copyText, openingText } from "../open/opening-text.ts"
import { commandText, resumeCommand } from "../open/resume-command.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { sessionName } from "../output/session-names.ts"

export const open = defineCommand({
  usage: "open [SESSION] [--print] [--here] [--again]",
  about: `Resumes an agent's session in its own client and folder. SESSION is an id, the beginning of one, or words of a title; without it,
this project's newest session is opened.

Inside tmux it switches to the pane where the session is already running, or opens a new window. With --print, or when output
is not a terminal, it prints the command instead.`,
  options: {
    print: { type: "boolean", short: "p", about: "print the command, and run nothing" },
    here: { type: "boolean", about: "in this terminal, also inside tmux" },
    again: { type: "boolean", about: "open it once more, even if the session is already running" },
  },
  maxWords: Number.POSITIVE_INFINITY,
  examples: ["headway open login form", "headway open f53816a2 --here", 'eval "$(headway open f53816a2 --print)"'],
  async run(given) {
    const context = withSessionWord(given)
    const { io, values } = context
    const named = namedSession(context)
    const notify = (text: string): void => say(io, text)
    const chosen = await (named === undefined
      ? chooseNewest(context, notify)
      : chooseNamed(context, { session: named, mayBegin: false }))
    const { session: one, seen, all = [] } = chosen ?? {}
    if (!one) throw noPlan(context)
    const resumable = { ...one, isStart: seen?.isStart }
    if (values.print || values.json || !io.isTerminal.in || !io.isTerminal.out) {
      const command = resumeCommand(resumable, context)
      const { program, words, folder } = command
      if (command.isCopy) say(io, copyText(one))
      io.out(values.json ? printJson({ ...keyOf(one), program, words, folder }) : `${commandText(command)}\n`)
      return 0
    }
    const { how, command, code } = await openSession(resumable, context, {
      all,
      isHere: values.here,
      isAgain: values.again,
      onStart: (starting) => say(io, openingText(one, all, starting)),
    })
    if (how === "pane")
      say(io, `${sessionName(one, all)} is already running in ${command.folder}; switched to its pane`)
    return code
  },
})

const keyOf = ({ session, agent, agentType }: JoinedSession) => ({ session, agent, agentType })
