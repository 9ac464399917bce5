/** Keeps an agent in the folder in which it started, even if another folder takes over the path. */
import { statSync } from "node:fs"
import type { AgentTool } from "./registry.ts"

/** Returns why the path is no longer the agent's folder; undefined as long as it is. */
export type FolderFault = () => string | undefined

/** Remembers the folder at this path. A missing folder is remembered as soon as it exists. */
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
 * Wraps a tool so that it runs only in that folder. Checks when the tool runs, not when the person is asked, because
 * the person's answer was about paths in the folder that they know.
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
