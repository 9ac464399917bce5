/** The members of a run, as the words of a command line name them: an agent each, in turn. */
import { basename } from "node:path"
import { parseArgs } from "node:util"
import { loadStreams } from "../../agents/index.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Stream } from "../../streams/index.ts"
import { type Colour, colourNames, readColour } from "../../views/text/span.ts"

export type RunMember = {
  /** Undefined when it was given none. */
  name: string | undefined
  colour: Colour | undefined
  command: readonly string[]
  /** The formats its output may have. */
  candidates: readonly Stream[]
  /** What the command must also be told so that it prints a format we read; undefined when nothing is missing. */
  missingWords: string | undefined
}

/** What may be said about a member. */
type MemberValues = { member?: string | undefined; from?: string | undefined }

/** The first one from its options and the words after `--`, the others from what is between `--then` and `--`. */
export const readMembers = (first: MemberValues, words: readonly string[]): Promise<RunMember[]> => {
  const [command = [], ...others] = partsOf(words)
  return Promise.all([memberOf(first, command), ...others.map(readPart)])
}

/** An agent may have its own argument `--then`; ours is followed by our options, if any, and `--`. */
const partsOf = (words: readonly string[]): string[][] => {
  const parts: string[][] = [[]]
  for (const [index, word] of words.entries()) {
    if (word === "--then" && beginsMember(words.slice(index + 1))) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

const beginsMember = (words: readonly string[]): boolean => {
  const [first = "", , ...rest] = words
  if (/^--(?:member|from)$/.test(first)) return beginsMember(rest)
  return /^--(?:member|from)=/.test(first) ? beginsMember(words.slice(1)) : first === "--"
}

const readPart = async (words: readonly string[]): Promise<RunMember> => {
  const end = words.indexOf("--")
  const options = { member: { type: "string" }, from: { type: "string" } } as const
  const { values } = parseArgs({ args: words.slice(0, end), options })
  return memberOf(values, words.slice(end + 1))
}

const memberOf = async ({ member, from }: MemberValues, command: readonly string[]): Promise<RunMember> => {
  if (command.length === 0)
    throw new HeadwayError("usage", 'Which agent? Put its command after "--": headway run -- claude -p "Fix the tests"')
  const candidates = await loadStreams(from ?? "auto")
  return {
    ...readMemberName(member),
    command,
    candidates,
    missingWords: missingWords(command, await loadStreams("auto")),
  }
}

const readMemberName = (member: string | undefined): Pick<RunMember, "name" | "colour"> => {
  if (member === undefined) return { name: undefined, colour: undefined }
  const [, name = member, wanted] = /^(.*?)(?::([^:]*))?$/s.exec(member) ?? []
  const colour = wanted === undefined ? undefined : readColour(wanted)
  if (wanted !== undefined && !colour)
    throw new HeadwayError(
      "usage",
      `"${wanted}" is not a colour a member can have. The colours are: ${colourNames.join(", ")}, or any as #rrggbb.`,
    )
  if (name.trim() === "") throw new HeadwayError("usage", `--member takes NAME or NAME:COLOUR, not "${member}".`)
  return { name, colour }
}

const missingWords = ([file = "", ...words]: readonly string[], formats: readonly Stream[]): string | undefined => {
  const command = basename(file).replace(/\.(?:exe|cmd)$/i, "")
  const own = formats.flatMap(({ printedBy }) => (printedBy?.command === command ? [printedBy] : []))
  const given = ` ${words.join(" ").replaceAll("=", " ")} `
  const missing = own.map((printed) =>
    printed.words.filter((group) => !group.some((word) => given.includes(` ${word} `))),
  )
  const least = missing.toSorted((one, other) => one.length - other.length)[0]
  if (!least || least.length === 0) return undefined
  return least.map(([word = ""]) => word).join(" ")
}
