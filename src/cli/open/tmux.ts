/** tmux, for those who work in it: the pane in which a process runs, and a new window for another one. */
import { spawnSync } from "node:child_process"
import type { Processes } from "../../home/processes/processes.ts"

export type Tmux = {
  /** Goes to the pane in which a process runs; false where it runs in none. */
  goTo(pid: number): boolean
  /** Runs a program in a new window; false if none could be opened. */
  openWindow(command: WindowCommand): boolean
}

export type WindowCommand = {
  program: string
  words: readonly string[]
  folder: string
  /** Variables it needs in addition to those that tmux sets. */
  env: Readonly<Record<string, string | undefined>>
}

/** `file` is the program tmux itself. */
export const createTmux = (file: string, env: NodeJS.ProcessEnv, processes: Processes | undefined): Tmux => {
  const run = (words: readonly string[], cwd?: string): string | undefined => {
    const { status, stdout } = spawnSync(file, words, { env, cwd, encoding: "utf8", timeout: timeLimit })
    return status === 0 ? stdout : undefined
  }

  const panes = (): ReadonlyMap<number, string> => {
    const lines = run(["list-panes", "-a", "-F", "#{pane_pid} #{pane_id}"])?.split("\n") ?? []
    return new Map(
      lines.flatMap((line) => {
        const [pid, pane] = line.split(" ")
        return pane === undefined ? [] : [[Number(pid), pane] as const]
      }),
    )
  }

  return {
    goTo(pid) {
      const known = panes()
      let at: number | undefined = pid
      for (let steps = 0; at !== undefined && at > 1 && steps < mostSteps; steps += 1) {
        const pane = known.get(at)
        if (pane !== undefined) {
          // It may be in another session of tmux, or in another window of this one.
          const isThere = run(["select-window", "-t", pane]) !== undefined
          run(["select-pane", "-t", pane])
          run(["switch-client", "-t", pane])
          return isThere
        }
        at = processes?.find(at)?.parent
      }
      return false
    },
    openWindow({ program, words, folder, env: more }) {
      const variables = Object.entries(more).flatMap(([name, value]) =>
        value === undefined ? [] : ["-e", `${name}=${value}`],
      )
      const command = [program, ...words].map(argument)
      // Where it is called decides the folder: one that is named as an option would be read as a format, which can run programs.
      const open = (options: readonly string[]): string | undefined =>
        run(["new-window", "-P", "-F", "#{pane_id}", ...options.map(argument), "--", ...command], folder)
      // Older ones have no such option.
      const pane = open(variables) ?? open([])
      if (pane === undefined) return false
      // What a client says that ends at once could not be read.
      run(["set-option", "-p", "-t", pane.trim(), "remain-on-exit", "failed"])
      return true
    },
  }
}

/** A semicolon at the end of a word begins another command of tmux. */
const argument = (word: string): string => word.replace(/;$/, String.raw`\;`)

/** In milliseconds: it only passes on a message. */
const timeLimit = 5_000

/** No process has so many before it. */
const mostSteps = 64
