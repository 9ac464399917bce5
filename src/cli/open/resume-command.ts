/** The command that resumes a session in its own client. Session data is only ever used as an argument. */

import { isAbsolute } from "node:path"
import { agentNamed } from "../../agents/index.ts"
import { projectOf } from "../../board/project.ts"
import { isFolder } from "../../home/paths/on-disk.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { shellWord } from "../../views/text/shell-word.ts"
import { ownAgentType } from "../agent/session.ts"
import { ownBin } from "../bridge/own-bin.ts"
import type { Context } from "../command.ts"
import { agentTitle } from "../output/session-names.ts"

export type Resumable = {
  agentType: string
  session: string
  project?: string | undefined
  /** Its file has lost its id, and says only how it begins. */
  isStart?: boolean | undefined
}

export type ResumeCommand = {
  /** As people type it: a name that is looked up, never a path of the session's. */
  program: string
  /** The program itself, where it is this one. */
  own?: { file: string; words: readonly string[] }
  words: readonly string[]
  /** The client continues a copy of the session, under another id. */
  isCopy?: true
  folder: string
}

/** Throws an explanatory error if the session cannot be resumed. */
export const resumeCommand = (one: Resumable, context: Context): ResumeCommand => {
  const { session } = one
  const { program, own, words, isCopy } = clientFor(one, context)
  if (!isPlainArgument(session))
    throw new HeadwayError(
      "no-resume",
      `The id "${sanitise(session)}" could be taken for an option, so it is not passed on.`,
    )
  if (!own && isPath(session))
    throw new HeadwayError(
      "no-resume",
      `The id "${sanitise(session)}" could be taken for a file, so it is not passed on.`,
    )
  if (!own && isChoice(session))
    throw new HeadwayError(
      "no-resume",
      `The id "${session}" could be taken for another session, the newest or one by its number, so it is not passed on.`,
    )
  if (one.isStart) throw new HeadwayError("no-resume", `Only the beginning of this session's id is known: ${session}.`)
  return { program, ...(own ? { own } : {}), words, ...(isCopy ? { isCopy } : {}), folder: folderOf(one, context) }
}

/** For a shell of a person: every word is quoted that is not plain. */
export const commandText = ({ program, words, folder }: ResumeCommand): string => {
  const text = `cd ${shellWord(folder)} && ${[program, ...words].map(shellWord).join(" ")}`
  if (sanitise(text) === text) return text
  throw new HeadwayError("no-resume", "The folder of this session has characters in its name that cannot be printed.")
}

/** The type of a plan that no agent's session is known for, such as one of `headway write`. */
const noAgent = "headway"

type Client = Pick<ResumeCommand, "program" | "own" | "words" | "isCopy">

const clientFor = ({ agentType, session }: Resumable, { values }: Context): Client => {
  if (agentType === ownAgentType) {
    const words = ["agent", "--resume", session, ...(values.home ? ["--home", values.home] : [])]
    return { program: "headway", own: { file: process.execPath, words: [ownBin(), ...words] }, words }
  }
  const agent = agentNamed(agentType)
  if (agent?.program && agent.resume) {
    const { program, resume, resumesCopy: isCopy } = agent
    return { program, words: resume(session), ...(isCopy ? { isCopy } : {}) }
  }
  throw new HeadwayError(
    "no-resume",
    agentType === noAgent
      ? 'This plan was not written in an agent\'s session, so there is none to open. "headway show" shows it.'
      : `${agentTitle(agentType)} has no command to resume a session.`,
  )
}

/** A word that begins with a hyphen would be an option of the client. */
const isPlainArgument = (id: string): boolean => id !== "" && !id.startsWith("-") && sanitise(id) === id

/** Some clients take a conversation from any file: a repository that names the session of its plans could point to one of its own files. */
const isPath = (id: string): boolean => /[\\/]|\.jsonl?$/i.test(id)

/** Some clients also take a word for their newest session, or a number in their own list, which no client gives as an id. */
const isChoice = (id: string): boolean => /^(?:latest|last|\d{1,6})$/i.test(id)

const folderOf = ({ project }: Resumable, { io }: Context): string => {
  // Of a plan that is kept in its repository.
  const folder = project === "." ? projectOf(io.cwd) : (project ?? "")
  if (!isAbsolute(folder))
    throw new HeadwayError("no-folder", "The folder in which this session was started is not known.")
  if (isFolder(folder)) return folder
  throw new HeadwayError("no-folder", `The folder of this session does not exist: ${sanitise(folder)}.`)
}
