/** The screen of an agent in a terminal: what was said in the scroll-back, what is going on and a line to type in below it. */
import { render } from "ink"
import { HeadwayError } from "../plan/headway-error.ts"
import { AgentScreen } from "./agent-screen-live.tsx"
import { createAgentSession, type ScreenAgent, type ScreenHost } from "./agent-screen-session.ts"
import { type Look, LookProvider } from "./look.tsx"
import { styledText } from "./styled.ts"
import type { ToggleTodosEvent } from "./use-todos-toggle.ts"

export type { ScreenAgent, ScreenHost } from "./agent-screen-session.ts"

export type AgentScreenOptions = {
  /**
   * Opens the agent; called once, before anything is drawn. The screen asks the person (`permit`, `confirm`) and shows what
   * happens (`onEvent`): hand all three to `openAgent`.
   */
  open: (host: ScreenHost) => Promise<ScreenAgent>
  /** The first thing the person asks for. */
  prompt?: string | undefined
  /** A few words to begin with, such as the model and the folder. */
  greeting?: string | undefined
  /** @default colour and Unicode */
  look?: Partial<Look> | undefined
  stdin?: NodeJS.ReadStream | undefined
  stdout?: NodeJS.WriteStream | undefined
  /**
   * `/todo add "Ask Ada"`: a person's edit in the words of `headway todo`, made to the agent's own plan. Answers with what to
   * say; throws a sentence when it cannot be done. It must not open an editor or read standard input.
   */
  editTodos: (words: readonly string[]) => Promise<string>
  /** Setting `showExpandedTodos` (C16). @default false */
  startsExpanded?: boolean | undefined
  onSaveExpanded?: ((isExpanded: boolean) => void) | undefined
  /** Told of each Ctrl+T (C32). */
  onToggle?: ((event: ToggleTodosEvent) => void) | undefined
}

/** How a screen ended: the person left, or the process was told to. */
export type AgentScreenEnding = "quit" | "SIGTERM" | "SIGHUP"

/**
 * Shows the agent until the person leaves. Then the terminal is as it was, nothing of the agent is running any more, and the
 * caller says how to resume. Rejects, with the terminal as it was, when the agent cannot be opened or the screen fails.
 */
export const openAgentScreen = async (options: AgentScreenOptions): Promise<{ ending: AgentScreenEnding }> => {
  const { stdin = process.stdin, stdout = process.stdout, look: { colour = true, ascii = false } = {} } = options
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new HeadwayError("no-terminal", "The agent's screen needs a terminal for input and output.")
  }
  const session = createAgentSession({
    room: () => ({ width: stdout.columns || 80, ascii }),
    editTodos: options.editTodos,
  })
  const agent = await options.open(session.host)
  if (options.greeting !== undefined) session.note(options.greeting)
  session.begin(agent, options.prompt)
  // Before anything invites to type: what is typed until then is echoed by the terminal, with other line ends.
  stdin.setRawMode(true)
  const app = render(
    <LookProvider colour={colour} ascii={ascii}>
      <AgentScreen
        session={session}
        agent={agent}
        output={stdout}
        startsExpanded={options.startsExpanded}
        onEvent={options.onToggle}
        onSave={options.onSaveExpanded}
      />
    </LookProvider>,
    { stdin, stdout: withoutHeight(stdout), exitOnCtrlC: false },
  )
  const { ending, stop } = followSignals(stdin, stdout, session.leave)
  // Resolves when it is unmounted below, and rejects when drawing failed.
  const drawn = app.waitUntilExit().then(undefined, (cause) => {
    session.leave()
    throw cause
  })
  drawn.catch(() => {})
  try {
    await Promise.race([session.left, drawn])
    app.unmount()
    await drawn
    const last = session.takeWritten()
    if (last.length > 0) stdout.write(`${styledText(last, colour)}\n`)
    await session.over
    return { ending: ending() }
  } finally {
    stop()
  }
}

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

/** A process that is told to end leaves in good order; one whose terminal is gone too. */
const followSignals = (stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream, leave: () => void) => {
  let ending: AgentScreenEnding = "quit"
  const endBy = (signal: AgentScreenEnding) => (): void => {
    ending = signal
    leave()
  }
  const [terminated, hungUp] = [endBy("SIGTERM"), endBy("SIGHUP")]
  process.on("SIGTERM", terminated)
  process.on("SIGHUP", hungUp)
  stdin.on("end", hungUp)
  stdin.on("error", hungUp)
  stdout.on("error", hungUp)
  return {
    ending: () => ending,
    stop: (): void => {
      process.off("SIGTERM", terminated)
      process.off("SIGHUP", hungUp)
      stdin.off("end", hungUp)
      stdin.off("error", hungUp)
      stdout.off("error", hungUp)
    },
  }
}
