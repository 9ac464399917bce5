/** The built program serving its page from a home of its own, and other processes at work in that home. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))

export type ServedPage = {
  /** With the token. */
  readonly address: string
  /** Without. */
  readonly origin: string
  /** What it printed when it began, such as an address that pairs a device. */
  readonly printed: { invite?: { address: string } }
  /** Runs a command in another process and resolves with what it printed. */
  run(...words: string[]): Promise<string>
  /** One call of a list tool, for a session that need not exist. */
  write(session: string, call: object): Promise<string>
  stop(): Promise<void>
  /** Serves again at the same port. */
  start(): Promise<void>
}

export const servePage = async (home: string, options: readonly string[] = []): Promise<ServedPage> => {
  const env = { PATH: process.env.PATH, HOME: home, HEADWAY_HOME: `${home}/.headway`, USER: "ada" }
  let child: ChildProcess | undefined
  let printed: { page: string; invite?: { address: string } } = { page: "" }
  let port = "0"

  const start = async (): Promise<void> => {
    const words = [bin, "serve", "--port", port, "--json", ...options]
    const started = spawn(process.execPath, words, { env, cwd: home, stdio: ["ignore", "pipe", "pipe"] })
    child = started
    printed = await new Promise((resolve, reject) => {
      let [out, err] = ["", ""]
      started.stderr?.on("data", (chunk) => {
        err += chunk
      })
      started.stdout?.on("data", (chunk) => {
        out += chunk
        if (out.endsWith("}\n")) resolve(JSON.parse(out))
      })
      started.on("exit", (code) => reject(new Error(`serve ended with ${code}: ${err}`)))
    })
    port = new URL(printed.page).port
  }

  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child?.on("exit", resolve))
    child.kill("SIGTERM")
    await ended
  }

  const run = async (words: readonly string[], input = ""): Promise<string> => {
    const running = promisify(execFile)(process.execPath, [bin, ...words], { env, cwd: home })
    // A command that reads nothing may be over before.
    running.child.stdin?.on("error", () => {}).end(input)
    return (await running).stdout
  }

  await start()
  return {
    get address() {
      return printed.page
    },
    get origin() {
      return new URL(printed.page).origin
    },
    get printed() {
      return printed
    },
    run: (...words) => run(words),
    write: (session, call) => run(["write", "--session", session, "--new"], JSON.stringify(call)),
    stop,
    start,
  }
}
