/** What a terminal and its shell tell a program that fills the screen: another size, stop, go on, end. */

export type TerminalEvents = {
  resize(): void
  /** The system asks to end. */
  end(name: NodeJS.Signals): void
  /** The shell asks to stop for a while. */
  pause(): void
  /** The program goes on after it was stopped. */
  goOn(): void
  /** The process ends now, for whatever reason; only what happens at once still happens. */
  exit(): void
}

const endings = ["SIGTERM", "SIGHUP", "SIGINT"] as const

/** Answers how to stop listening. */
export const listenToTerminal = (
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  { resize, end, pause, goOn, exit }: TerminalEvents,
): (() => void) => {
  // Keys that end, and output nobody takes any more, mean that the terminal is gone.
  const hangUp = (): void => end("SIGHUP")
  for (const name of endings) process.on(name, end)
  process.on("SIGTSTP", pause)
  process.on("SIGCONT", goOn)
  process.on("exit", exit)
  stdout.on("resize", resize)
  stdout.on("error", hangUp)
  stdin.on("end", hangUp)
  stdin.on("error", hangUp)
  return () => {
    for (const name of endings) process.off(name, end)
    process.off("SIGTSTP", pause)
    process.off("SIGCONT", goOn)
    process.off("exit", exit)
    stdout.off("resize", resize)
    stdout.off("error", hangUp)
    stdin.off("end", hangUp)
    stdin.off("error", hangUp)
  }
}

/** Stops this process and whoever stands around it, as Ctrl+Z would. Resolves when it goes on; at once where nobody could continue it. */
export const stopProcess = async (): Promise<void> => {
  if (process.platform === "win32") return
  const listeners = process.listeners("SIGTSTP")
  process.removeAllListeners("SIGTSTP")
  process.kill(0, "SIGTSTP")
  await turnOfLoop()
  for (const listener of listeners) process.on("SIGTSTP", listener)
}

/** Lets what has already arrived be dealt with: signals are looked at between the first pause and the second. */
export const turnOfLoop = (): Promise<void> => new Promise((passed) => setImmediate(() => setImmediate(passed)))
