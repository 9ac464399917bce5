/** Decides whether a script, or a program given as text, may change files. */
import { changingName, lookingName } from "./_changing-programs.ts"
import { codeMayWrite, interpreter, textOption } from "./_inline-code.ts"
import { afterOptions } from "./_options.ts"
import { partKind } from "./command-kind.ts"
import { isTemporary } from "./folders.ts"
import { type ShellPart, shellParts } from "./shell-parts.ts"

/** A part of a command as finally run, without programs that only start another one. */
export type Run = {
  parts: readonly ShellPart[]
  index: number
  program: string
  words: readonly string[]
  /** The folder of the project; `""` if unknown. */
  project: string
}

/** Whether a program that is given as text may change files: after an option, in a here-document, or through a pipe. */
export const textMayChange = ({ parts, index, program, words, project }: Run): boolean => {
  if (!interpreter.test(program)) return false
  const [before, part] = [parts[index - 1], parts[index]]
  const texts = words.filter((_, place) => textOption.test(words[place - 1] ?? ""))
  if (/awk$/.test(program)) texts.push(...words.filter((word) => !word.startsWith("-")).slice(0, 1))
  if (part?.document !== undefined) texts.push(part.document)
  if (texts.length > 0) return texts.some((text) => codeMayWrite(program, text, project))
  const isPiped = before?.joint === "|" && words.every((word) => word === "-")
  return isPiped && codeMayWrite(program, printedBy(before), project)
}

/** What a part prints, if its own words show it. Otherwise it may print anything. */
const printedBy = ({ words: [program = "", ...words], document }: ShellPart): string =>
  document ?? (/^(?:echo|printf)$/.test(program) ? words.join(" ") : anything)

const anything = "subprocess"

/**
 * Decides for scripts and targets by their names, and for the agent's own script by what the command has just written
 * into it.
 */
export const scriptMayChange = ({ parts, index, program, words, project }: Run): boolean => {
  const script = scriptIn(program, words)
  if (script === undefined) return false
  const { name, isFile } = script
  if (!isFile) return changingName.test(name) && partKind({ words: [program, ...words] }) === "other"
  const written = parts.slice(0, index).findLast(({ writes }) => writes.includes(name))
  if (written?.document !== undefined) return writtenMayChange(name, program, written.document, project)
  const base = name.slice(name.lastIndexOf("/") + 1)
  return changingName.test(base) || (isTemporary(name, "") && !lookingName.test(base))
}

const writtenMayChange = (name: string, program: string, text: string, project: string): boolean =>
  shell.test(program) || /\.(?:ba|z)?sh$/.test(name)
    ? shellParts(text).some(
        ({ words, writes }) => writes.length > 0 || /^(?:sed|perl|mv|cp|rm|git)$/.test(words[0] ?? ""),
      )
    : codeMayWrite(program, text, project)

const shell = /^(?:ba|z|da)?sh$/

/** The file that is run, or the script or target of the project. */
const scriptIn = (program: string, words: readonly string[]): { name: string; isFile: boolean } | undefined => {
  if (/^(?:npm|pnpm|yarn|bun|make|gmake|just|task|mise|rake|turbo|composer|deno)$/.test(program)) {
    const rest = afterOptions(words, /^(?:-C|-f|-w|--workspace|--prefix|--filter|-F|--dir|--cwd)$/)
    const [name] = /^(?:run|run-script|r|task)$/.test(rest[0] ?? "") ? afterOptions(rest.slice(1), /^(?:-w)$/) : rest
    return name === undefined ? undefined : { name, isFile: isScriptFile.test(name) }
  }
  if (interpreter.test(program) || shell.test(program) || program === "source" || program === ".") {
    const module = words.indexOf("-m")
    const [name] = module >= 0 ? words.slice(module + 1) : afterOptions(words, /^(?:-r|--require|--import|--loader)$/)
    return name === undefined ? undefined : { name, isFile: true }
  }
  return isScriptFile.test(program) || /^\.{0,2}\//.test(program) ? { name: program, isFile: true } : undefined
}

/** Recognises a script by its file extension. */
export const isScriptFile = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh|bash|zsh|ps1)$/
