/** Terminal and shell events for a full-screen program: resize, stop, continue, end. */

export type SystemEvents = {
  /** The system asks the program to end. */
  end(name: NodeJS.Signals): void
  /** The shell asks the program to pause. */
  pause(): void
  /** The program continues after a pause. */
  goOn(): void
  /** The process is ending, for any reason. Only synchronous work is still possible. */
  exit(): void
}

const endings = ["SIGTERM", "SIGHUP", "SIGINT"] as const

/** Returns a function that stops listening. */
export const listenToSystem = ({ end, pause, goOn, exit }: SystemEvents): (() => void) => {
  for (const name of endings) process.on(name, end)
  process.on("SIGTSTP", pause)
  process.on("SIGCONT", goOn)
  process.on("exit", exit)
  return () => {
    for (const name of endings) process.off(name, end)
    process.off("SIGTSTP", pause)
    process.off("SIGCONT", goOn)
    process.off("exit", exit)
  }
}

/** The end of input, and output that is no longer read, mean that the terminal is gone. Returns a function that stops listening. */
export const listenForHangUp = (
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  hangUp: () => void,
): (() => void) => {
  stdin.on("end", hangUp).on("error", hangUp)
  stdout.on("error", hangUp)
  return () => {
    stdin.off("end", hangUp).off("error", hangUp)
    stdout.off("error", hangUp)
  }
}

/** Stops this process and all others of its job, as Ctrl+Z would. Resolves when it continues; immediately if there is no shell that could continue it. */
export const stopProcess = async (): Promise<void> => {
  if (process.platform === "win32") return
  const listeners = process.listeners("SIGTSTP")
  process.removeAllListeners("SIGTSTP")
  process.kill(0, "SIGTSTP")
  await turnOfLoop()
  for (const listener of listeners) process.on("SIGTSTP", listener)
}

/** Lets pending events be handled: signals are delivered between the first pause and the second. */
export const turnOfLoop = (): Promise<void> => new Promise((passed) => setImmediate(() => setImmediate(passed)))
