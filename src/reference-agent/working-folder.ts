/** Keeps an agent in the folder it started in, even if another folder takes its path meanwhile. */
import { statSync } from "node:fs"
import type { AgentTool } from "./registry.ts"

/** Why the path is not the folder that the agent began in any more; undefined as long as it is. */
export type FolderFault = () => string | undefined

/** A folder that is not there yet is held as soon as it is. */
export const holdFolder = (cwd: string): FolderFault => {
  let held = identityOf(cwd)
  return () => {
    const now = identityOf(cwd)
    held ??= now
    if (now === held) return undefined
    const what = now === undefined ? "is gone" : "is not the folder this session began in"
    return `The working folder ${cwd} ${what}, so nothing was done. The user has to start again in the right folder.`
  }
}

const identityOf = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/**
 * The tool, which runs only in that folder. Looked at when it runs and not when it is asked about: the answer was given for
 * paths in the folder that the person knows.
 */
export const heldTo =
  (fault: FolderFault) =>
  (tool: AgentTool): AgentTool => ({
    ...tool,
    run: async (input, context) => {
      const text = fault()
      return text === undefined ? tool.run(input, context) : { text, isError: true }
    },
  })
