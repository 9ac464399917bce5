/** The screen of an agent in a terminal: what was said in the scroll-back, what is going on and a line to type in below it. */
import { render } from "ink"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { AgentScreenOptions } from "../../reference-agent/screen.ts"
import { LookProvider } from "../components/look.tsx"
import type { ToggleTodosEvent } from "../components/use-todos-toggle.ts"
import { styledText } from "../terminal/styled.ts"
import { AgentScreen } from "./live.tsx"
import { createAgentSession } from "./session.ts"

/** Where the screen is, for a host that has other streams, and who hears of each Ctrl+T (C32). */
export type AgentScreenPlace = {
  stdin?: NodeJS.ReadStream | undefined
  stdout?: NodeJS.WriteStream | undefined
  stderr?: Pick<NodeJS.WriteStream, "write"> | undefined
  onToggle?: ((event: ToggleTodosEvent) => void) | undefined
}

/**
 * Shows the agent until the person leaves or the system asks to end. Then nothing of the agent is running any more, the
 * terminal is as it was, and how to resume is said on standard error. Rejects, with the terminal as it was, when the agent
 * cannot be opened or the screen fails.
 */
export const openAgentScreen = async (options: AgentScreenOptions & AgentScreenPlace): Promise<void> => {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr, look, stopped } = options
  const { colour, ascii } = look
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new HeadwayError("no-terminal", "The agent's screen needs a terminal for input and output.")
  }
  const session = createAgentSession({
    room: () => ({ width: stdout.columns || 80, ascii }),
    command: options.command,
  })
  const agent = await options.open(session.ears)
  const { session: name, model, isResumed } = options
  session.note(`Session ${name} (${model})${isResumed ? ", taken up again" : ""}. /help says what you can type.`)
  session.begin(agent, options.task)
  // Before anything invites to type: what is typed until then is echoed by the terminal, with other line ends.
  stdin.setRawMode(true)
  const app = render(
    <LookProvider colour={colour} ascii={ascii}>
      <AgentScreen
        session={session}
        agent={agent}
        output={stdout}
        now={options.now}
        clearDelay={options.clearDelay}
        startsExpanded={options.isExpanded}
        onEvent={options.onToggle}
        onSave={options.saveExpanded}
      />
    </LookProvider>,
    { stdin, stdout: withoutHeight(stdout), exitOnCtrlC: false, maxFps: drawAtOnce },
  )
  const unfollow = followEnd({ stdin, stdout, stopped }, session.leave)
  const unfollowSignals = followSignals(session.leave)
  // Resolves when it is unmounted below, and rejects when drawing failed.
  const drawn = app.waitUntilExit()
  drawn.catch(session.leave)
  try {
    await Promise.race([session.left, drawn])
    app.unmount()
    await drawn
    // Whoever is asked to end once more, while the work comes to its end, ends at once.
    unfollowSignals()
    const last = session.takeWritten()
    if (last.length > 0) stdout.write(`${styledText(last, colour)}\n`)
    await session.over
    stderr.write(`Go on with: headway agent --resume ${name}\n`)
  } finally {
    unfollow()
    unfollowSignals()
    agent.close()
  }
}

/**
 * Ink draws a frame up to 33 ms late, but writes what goes above at once, and below that the frame before: one that filled
 * the window with a question would push the newest words out of it. The session itself sets the pace of what changes.
 */
const drawAtOnce = 0

/**
 * Ink clears the whole terminal, with all that can be scrolled back to, once a frame was as high as it, as happens to any
 * frame when a window is made smaller. A terminal without an end is never full; the screen counts its rows itself.
 */
const withoutHeight = (stdout: NodeJS.WriteStream): NodeJS.WriteStream =>
  new Proxy(stdout, {
    get(target, name) {
      if (name === "rows") return Number.POSITIVE_INFINITY
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })

/** Ink ends the process at once by a signal that nobody else listens to. */
const followSignals = (leave: () => void): (() => void) => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
  for (const signal of signals) process.on(signal, leave)
  return () => {
    for (const signal of signals) process.off(signal, leave)
  }
}

type End = { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream; stopped: AbortSignal }

/** The host asks to end, or the terminal is gone. */
const followEnd = ({ stdin, stdout, stopped }: End, leave: () => void): (() => void) => {
  stopped.addEventListener("abort", leave, { once: true })
  stdin.on("end", leave).on("error", leave)
  stdout.on("error", leave)
  return () => {
    stopped.removeEventListener("abort", leave)
    stdin.off("end", leave).off("error", leave)
    stdout.off("error", leave)
  }
}
