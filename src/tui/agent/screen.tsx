/**
 * The screen of an agent in a terminal: the conversation in the scroll-back, with current activity and an input line
 * below.
 */
import { type Instance, render } from "ink"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Agent } from "../../reference-agent/agent.ts"
import type { AgentScreenOptions } from "../../reference-agent/screen.ts"
import { shellWord } from "../../views/text/shell-word.ts"
import { AppearanceProvider } from "../components/appearance.tsx"
import type { ToggleTodosEvent } from "../components/use-todos-toggle.ts"
import { paintRows } from "../terminal/paint.ts"
import { listenForHangUp, listenToSystem, stopProcess } from "../terminal/terminal-events.ts"
import { AgentScreen } from "./live.tsx"
import { type AgentSession, createAgentSession } from "./session.ts"

/** The streams of the screen, if not the process's own, and the listener for Ctrl+T (behaviour C32). */
export type AgentScreenPlace = {
  stdin?: NodeJS.ReadStream | undefined
  stdout?: NodeJS.WriteStream | undefined
  stderr?: Pick<NodeJS.WriteStream, "write"> | undefined
  onToggle?: ((event: ToggleTodosEvent) => void) | undefined
}

/**
 * Shows the agent until the person leaves or the system asks to end. When this resolves, no part of the agent is
 * running, the terminal is restored, and standard error says how to resume. If the agent cannot be opened or the screen
 * fails, it restores the terminal and rejects.
 */
export const openAgentScreen = async (options: AgentScreenOptions & AgentScreenPlace): Promise<void> => {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr, appearance, stopped } = options
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new HeadwayError("no-terminal", "The agent's screen needs a terminal for input and output.")
  }
  const session = createAgentSession({
    room: () => ({ width: stdout.columns || 80, ascii: appearance.ascii }),
    ...{ command: options.command, view: options.view, describeCall: options.describeCall, now: options.now },
  })
  const agent = await options.open(session.listeners)
  const { session: name, model, isResumed } = options
  session.note(`Session ${name} (${model})${isResumed ? ", resumed" : ""}. /help shows what you can type.`)
  session.begin(agent, options.task)
  const app = createApp(options, { stdin, stdout, session, agent })
  const unfollowEnd = followEnd({ stdin, stdout, stopped }, session.leave)
  const unfollowSystem = listenToSystem({
    end: session.leave,
    pause: app.pause,
    goOn: app.goOn,
    // Ink handles the end of the process itself.
    exit() {},
  })
  app.failed.catch(session.leave)
  try {
    app.show()
    await Promise.race([session.left, app.failed])
    await app.close()
    // From here on, a second request to end stops the process immediately, even if work is still finishing.
    unfollowSystem()
    const writeLast = (): void => {
      const last = session.takeWritten()
      if (last.length > 0) stdout.write(`${paintRows(last, appearance.colour)}\n`)
    }
    writeLast()
    await session.over
    // Anything that could not be saved is reported last.
    agent.close()
    writeLast()
    stderr.write(`Continue with: headway agent --resume ${shellWord(sanitise(name))}\n`)
  } finally {
    unfollowEnd()
    unfollowSystem()
    agent.close()
  }
}

type Parts = { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream; session: AgentSession; agent: Agent }

/** The Ink screen. It can be hidden, which restores the terminal, and shown again. */
const createApp = (
  {
    appearance,
    now,
    view,
    marks,
    clearDelay,
    isExpanded,
    onToggle,
    saveExpanded,
  }: AgentScreenOptions & AgentScreenPlace,
  { stdin, stdout, session, agent }: Parts,
) => {
  let app: Instance | undefined
  let startsExpanded = isExpanded
  let isAway = false
  let fail = (_cause: unknown): void => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })

  const show = (): void => {
    // Must come first: until raw mode is on, the terminal echoes what is typed, with other line ends.
    stdin.setRawMode(true)
    app = render(
      <AppearanceProvider {...appearance}>
        <AgentScreen
          session={session}
          agent={agent}
          output={stdout}
          now={now}
          view={view}
          marks={marks}
          clearDelay={clearDelay}
          startsExpanded={startsExpanded}
          onPause={pause}
          onEvent={onToggle}
          onSave={(isNow) => {
            startsExpanded = isNow
            saveExpanded(isNow)
          }}
        />
      </AppearanceProvider>,
      { stdin, stdout: withoutHeight(stdout), exitOnCtrlC: false, maxFps: drawAtOnce },
    )
    app.waitUntilExit().catch(fail)
  }
  const close = async (): Promise<void> => {
    const closed = app
    app = undefined
    closed?.unmount()
    await closed?.waitUntilExit()
  }
  /** Removes the live part completely. */
  const hide = (): void => {
    app?.rerender(null)
    void close().catch(fail)
  }
  const stop = async (): Promise<void> => {
    isAway = true
    hide()
    await stopProcess()
    isAway = false
    if (!session.state.isOver) show()
  }
  const pause = (): void => {
    if (app && !isAway) void stop()
  }
  return {
    failed,
    show,
    close,
    pause,
    /** Another program may have left the terminal in any state. */
    goOn() {
      if (isAway || !app) return
      hide()
      show()
    },
  }
}

/**
 * Ink draws a frame up to 33 ms late, but writes finished output above it at once, followed by the previous frame. If
 * that frame filled the window, it would push the newest output out of view. The session limits the rate of changes
 * itself.
 */
const drawAtOnce = 0

/**
 * Ink clears the whole terminal, its scroll-back too, as soon as a frame is as high as the terminal, which can happen
 * whenever a window is made smaller. So Ink gets a terminal of infinite height, and this screen counts its rows itself.
 */
const withoutHeight = (stdout: NodeJS.WriteStream): NodeJS.WriteStream =>
  new Proxy(stdout, {
    get(target, name) {
      if (name === "rows") return Number.POSITIVE_INFINITY
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })

type End = { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream; stopped: AbortSignal }

/** Leaves when the host asks to end or the terminal is gone. */
const followEnd = ({ stdin, stdout, stopped }: End, leave: () => void): (() => void) => {
  stopped.addEventListener("abort", leave, { once: true })
  const stopListening = listenForHangUp(stdin, stdout, leave)
  return () => {
    stopped.removeEventListener("abort", leave)
    stopListening()
  }
}
