/** Decides the outcome of a command from its exit code and output. */
import { addTo } from "../plan/grouped.ts"
import { sanitiseOutput } from "../plan/text/sanitise.ts"
import {
  allLeftOut,
  besideNothing,
  environmentHint,
  environments,
  failures,
  leftOutHint,
  likelyFailures,
  nothingDone,
  nothingRun,
  ownFailures,
  partialPasses,
  passedFiles,
  passes,
  runnerFailures,
  somethingRun,
  testCounts,
  toolCounts,
  wholeFailures,
} from "./_summaries.ts"
import { type CommandKind, commandKind, isCheck, partKind } from "./command-kind.ts"
import { type ShellPart, shellParts } from "./shell-parts.ts"

/**
 * `environment`: the program could not be run, or something outside the project did not respond. `running`: it runs in
 * the background and its end is not recorded. `unknown`: nothing shows the outcome.
 */
export type Outcome = "passed" | "failed" | "unknown" | "environment" | "refused" | "timed-out" | "running"

/** The known facts about a command that was run. */
export type CommandRun = {
  command: string
  exitCode?: number | undefined
  /** Whether the agent was told about an error, if it gets no exit code. */
  isError?: boolean | undefined
  /** The output, or its end. */
  output?: string | undefined
  /** Whether the person refused or stopped it. */
  isRefused?: boolean | undefined
  isTimedOut?: boolean | undefined
  /** Whether it still runs in the background. */
  isRunning?: boolean | undefined
}

export const outcomeOf = (run: CommandRun): Outcome => {
  if (run.isRefused) return "refused"
  if (run.isTimedOut) return "timed-out"
  if (run.isRunning) return "running"
  const parts = shellParts(run.command)
  const kind = commandKind(run.command)
  const code = run.exitCode ?? (run.isError === undefined ? undefined : Number(run.isError))
  if (parts.length === 0) return byCode(code)
  const output = run.output ?? ""
  if (!isCheck(kind)) return ofOther(parts, code, output, kind)
  const checked = { parts, kind, code, lines: linesOf(output) }
  const outcome = ofCheck(checked)
  return (outcome === "passed" || outcome === "failed") && hasRunNothing(checked) ? "unknown" : outcome
}

/** In characters. Summaries are at the end, on short lines. Only the beginning of a longer line is compared. */
const [longestOutput, longestLine] = [64_000, 500]

const linesOf = (output: string): string[] => {
  const text = output.length > longestOutput ? output.slice(-longestOutput) : output
  return (notPlain.test(text) ? sanitiseOutput(text) : text)
    .split(text.includes("\r") ? /\r?\n|\r/ : "\n")
    .map((line) => line.trim().slice(0, longestLine))
    .filter((line) => line !== "")
}

/** Recognises colours and other invisible characters. Most output has none and is compared as it is. */
const notPlain = /[^\t\n\r -~\u00a0-\u00ac\u00ae-\u1fff\u2010-\u2027\u2030-\u205f\u2070-\ufefe\uff00-\uffff]/

const byCode = (code: number | undefined): Outcome =>
  code === undefined ? "unknown" : code === 0 ? "passed" : code === 127 || code === 126 ? "environment" : "failed"

/** Programs whose exit code 1 means "no" and not a failure. */
const answering = new Set([
  "grep",
  "rg",
  "egrep",
  "ag",
  "diff",
  "test",
  "[",
  "[[",
  "pgrep",
  "cmp",
  "which",
  "command",
  "type",
])

const ofOther = (parts: readonly ShellPart[], code: number | undefined, output: string, kind: CommandKind): Outcome => {
  const last = parts.at(-1)
  if (code !== undefined && code !== 0) {
    // The shell could not parse it, so nothing was checked.
    if (shellErrors.test(output.slice(0, 2_000))) return "failed"
    if (code === 1 && (answering.has(last?.words[0] ?? "") || isGitQuestion(last))) return "unknown"
    return isEnvironment(linesOf(output)) ? "environment" : byCode(code)
  }
  const before = parts.at(-2)?.joint
  // `command || true` always succeeds.
  const isSwallowed = before === "||" && /^(?:true|:|echo)$/.test(last?.words[0] ?? "")
  const isHidden = isSwallowed || (before === "|" && !hasPipefail(parts))
  // A formatter prints only messages of its own. Other programs may print any text.
  if (isHidden && kind === "format" && isEnvironment(linesOf(output))) return "environment"
  return isHidden ? "unknown" : byCode(code)
}

const shellErrors = /^(?:\S*\/)?(?:ba|z|da)?sh:.*(?:unmatched|syntax error|parse error|unexpected (?:EOF|token))/m

const isGitQuestion = (part: ShellPart | undefined): boolean =>
  part?.words[0] === "git" && (part.words[1] === "grep" || part.words.includes("--exit-code"))

type Checked = { parts: readonly ShellPart[]; kind: CommandKind; code: number | undefined; lines: readonly string[] }

const ofCheck = (checked: Checked): Outcome => {
  const { parts, code, lines: all } = checked
  const lines = withoutOwnWords(all, parts)
  const result = resultOf({ ...checked, lines })
  const shown = shownCode(parts, lines)
  const isVisible = shown !== undefined || isExitVisible(parts, code)
  const exit = shown ?? code
  if (isVisible && exit === 0) {
    if (result !== "failed") return "passed"
    // A passing test may print lines that look like failures, but no runner's count includes them.
    const isRescued =
      hasAny(lines, [...anyPass, ...anyPartialPass, ...passedFiles]) && !isFailedAsWhole({ ...checked, lines })
    return isRescued ? "passed" : "unknown"
  }
  if (isVisible && exit !== undefined) {
    if (result === undefined) {
      if (exit === 127 || exit === 126 || isEnvironment(lines)) return "environment"
      if (exit === 124) return "timed-out"
      // Another program ended the command.
      if (signals.includes(exit)) return "unknown"
      if (mayBeOfOther(parts)) return "unknown"
    }
    // A later part may have failed: `npm test && git push`.
    return result === "passed" && hasOtherBehind(parts) ? "passed" : "failed"
  }
  if (result) return result
  if (isEnvironment(lines)) return "environment"
  return echoed(parts, all) ?? "unknown"
}

/** The exit codes of a command ended from outside: interrupted, killed, terminated. */
const signals: readonly number[] = [130, 137, 143]

/**
 * Whether a runner ran no test, or a program found nothing to build or check, by its messages. The exit codes differ.
 */
const hasRunNothing = ({ parts, kind, lines }: Checked): boolean => {
  if (lines.length === 0) return parts.some(({ words }) => words.includes("--if-present"))
  if (isScriptEmpty(parts, lines)) return true
  if (kind !== "test")
    return (
      lines.length <= mostIdleLines &&
      hasAny(lines, anyNothingDone) &&
      lines.every((line) => hasAny([line], anyBesideNothing))
    )
  const others = withoutLeftOut(lines)
  return (
    (others.length < lines.length || hasAny(lines, anyNothingRun)) &&
    !hasAny(others, anySomethingRun) &&
    !hasAny(lines, anyOwnFailure) &&
    !hasAny(lines, anyLikelyFailure)
  )
}

/** The lines without summaries of runs that skipped all tests. */
const withoutLeftOut = (lines: readonly string[]): readonly string[] => {
  if (!lines.some((line) => leftOutHint.test(line))) return lines
  const text = lines.join("\n")
  const rest = allLeftOut.reduce((left, pattern) => left.replace(pattern, ""), text)
  return rest === text ? lines : rest.split("\n").filter((line) => line !== "")
}

/**
 * Whether the only check runs a script that just prints something. Package managers show the command: `> echo "no
 * tests"`.
 */
const isScriptEmpty = (parts: readonly ShellPart[], lines: readonly string[]): boolean => {
  const scripts = lines.flatMap((line) => /^[>$] (?!\S+@\S+ )(.+)/.exec(line)?.[1] ?? [])
  const isIdle = ({ words: [program = ""] }: ShellPart): boolean => isPrinting(program) || idle.has(program)
  return (
    scripts.length > 0 &&
    parts.filter((part) => isCheck(partKind(part))).length === 1 &&
    scripts.every((script) => shellParts(script).every(isIdle))
  )
}

const idle = new Set(["true", ":", "exit"])

/** The most lines of a program that had nothing to do. */
const mostIdleLines = 40

/**
 * The lines without those that the command itself prints, which are not a runner's result: `npm test; echo "Tests 9
 * passed"`.
 */
const withoutOwnWords = (lines: readonly string[], parts: readonly ShellPart[]): readonly string[] => {
  const spoken = parts.flatMap(({ words: [program = "", ...words] }) => (isPrinting(program) ? [words.join(" ")] : []))
  if (spoken.length === 0) return lines
  const own = new Set(spoken.flatMap((text) => text.split(/\\n|\n/)).map((line) => line.trim()))
  return lines.filter((line) => !own.has(line))
}

const isPrinting = (program: string): boolean => program === "echo" || program === "printf"

/** The result that the runner reports; undefined if it reports none, or if the report was cut. */
const resultOf = ({ parts, kind, lines: all }: Checked): "passed" | "failed" | undefined => {
  const lines = all.filter((line) => telling.test(line))
  const counting = lines.filter((line) => counts.test(line))
  const tests = countIn(counting, testCounts)
  const tools = kind === "test" && tests.isCounted ? none : countIn(counting, toolCounts)
  if (tests.failed || tools.failed || hasAny(lines, anyFailure)) return "failed"
  const isPassed = tests.isCounted || tools.isCounted || hasAny(lines, anyPass)
  if (isPassed) return "passed"
  // A filter may have removed the summary.
  const isPartial = hasAny(lines, anyPartialPass) || (hasAny(lines, passedFiles) && parts.some(isFilter))
  if (isPartial) return hidesFailures(parts, all.length) ? undefined : "passed"
  return hasAny(lines, anyLikelyFailure) ? "failed" : undefined
}

/** Whether a whole run is reported as failed: by a count above 0, or by the program that ran it. */
const isFailedAsWhole = ({ kind, lines }: Checked): boolean => {
  const counting = lines.filter((line) => counts.test(line))
  return (
    countIn(counting, testCounts).failed ||
    (kind !== "test" && countIn(counting, toolCounts).failed) ||
    hasAny(lines, anyWholeFailure)
  )
}

type Count = { isCounted: boolean; failed: boolean }

const none: Count = { isCounted: false, failed: false }

/** A quick test: every line that a pattern may match contains one of these beginnings of words. Most lines do not. */
const telling =
  /fail|found|finished|pass|panic|prob|error|elif|example|ok\b|succe|issue|interr|buil|comp|code s|cannot|checked|recip|test|npm |stop|undef|synt|missi|too m|not e|decl/i

/** A quick test: every line that counts failures matches this. */
const counts = /\d.*(?:fail|error|issue|problem)|(?:fail|error|issue|problem).*\d/i

/** Merges patterns into as few as possible, because trying many patterns on each line is slow. */
const merged = (patterns: readonly RegExp[]): RegExp[] => {
  const isAlone = ({ source }: RegExp): boolean => /\\\d/.test(source)
  const byFlags = new Map<string, RegExp[]>()
  for (const one of patterns) if (!isAlone(one)) addTo(byFlags, one.flags, one)
  return [
    ...[...byFlags].map(([flags, some]) => new RegExp(some.map(({ source }) => `(?:${source})`).join("|"), flags)),
    ...patterns.filter(isAlone),
  ]
}

const [anyFailure, anyPass, anyPartialPass] = [merged(failures), merged(passes), merged(partialPasses)]
const [anyLikelyFailure, anyEnvironment] = [merged(likelyFailures), merged(environments)]
const [anyNothingDone, anyBesideNothing] = [merged(nothingDone), merged([...nothingDone, ...besideNothing])]
const anyWholeFailure = merged([...wholeFailures, ...runnerFailures])
const [anyNothingRun, anySomethingRun, anyOwnFailure] = [merged(nothingRun), merged(somethingRun), merged(ownFailures)]

const countIn = (lines: readonly string[], patterns: readonly RegExp[]): Count => {
  const found = lines.flatMap((line) =>
    patterns.flatMap((pattern) => {
      const groups = pattern.exec(line)
      const number = groups?.slice(1).find((group) => group !== undefined)
      return number === undefined ? [] : [Number(number)]
    }),
  )
  return { isCounted: found.length > 0, failed: found.some((number) => number > 0) }
}

const hasAny = (lines: readonly string[], patterns: readonly RegExp[]): boolean =>
  lines.some((line) => patterns.some((pattern) => pattern.test(line)))

const isEnvironment = (lines: readonly string[]): boolean =>
  lines.some((line) => environmentHint.test(line) && anyEnvironment.some((pattern) => pattern.test(line)))

/** Whether the check is piped into a program that may have removed failures: `head`, or `grep ok`. */
const hidesFailures = (parts: readonly ShellPart[], lines: number): boolean =>
  parts.some((part, index) => {
    if (parts[index - 1]?.joint !== "|") return false
    const [program = "", ...words] = part.words
    if (program === "head") return lines >= Number(/\d+/.exec(words.join(" "))?.[0] ?? 10)
    if (!isFilter(part)) return false
    return !words.some((word) => /^-\w*v/.test(word)) && !/fail|error|not ok/i.test(words.join(" "))
  })

const isFilter = ({ words: [program = ""] }: ShellPart): boolean =>
  /^(?:(?:e|f|r)?grep|rg|findstr|select-string|sls)$/i.test(program)

const hasPipefail = (parts: readonly ShellPart[]): boolean => parts.some(({ words }) => words.includes("pipefail"))

/** Whether the exit code of the whole command is that of its checks. */
const isExitVisible = (parts: readonly ShellPart[], code: number | undefined): boolean => {
  const pipefail = hasPipefail(parts)
  const stopsAtErrors = isStoppedAtErrors(parts)
  return parts.every((part, index) => {
    if (!isCheck(partKind(part))) return true
    if (isNegated(part) || (code === 0 && ignoresFailures(part))) return false
    // `other || check`: on success, the check may not have been run.
    if (parts[index - 1]?.joint === "||" && code === 0) return false
    return parts.slice(index).every(({ joint }, step, rest) => {
      const isLast = step === rest.length - 1
      if (isLast) return joint !== "&"
      if (joint === "|") return pipefail || !isPipedCheck(rest, step)
      if (joint === ";") return stopsAtErrors
      // `check || true`: only a failure of both is visible.
      return joint === "&&" || (joint === "||" && code !== undefined && code !== 0)
    })
  })
}

const isStoppedAtErrors = (parts: readonly ShellPart[]): boolean =>
  parts.some(({ words }) => words[0] === "set" && words.some((word) => /^-\w*e/.test(word)))

/** Options with which a check succeeds whatever it finds. */
const ignoring =
  /^(?:-Dmaven\.test\.failure\.ignore(?:=true)?|-fn|--fail-never|--ignore-errors|--exit-zero|--no-exit-code|--issues-exit-code=0|--failure-exit-code=0)$/

const ignoresFailures = ({ words: [program = "", ...words] }: ShellPart): boolean =>
  words.some((word) => ignoring.test(word) || (/^g?make$/.test(program) && /^-[a-zA-Z]*i/.test(word)))

/** `! check` succeeds if the check fails. */
const isNegated = ({ text }: ShellPart): boolean => /^\s*(?:time\s+)?!\s/.test(text)

/** Whether the pipe at a position includes the first part, and not only a later one. */
const isPipedCheck = (rest: readonly ShellPart[], step: number): boolean =>
  rest.slice(0, step).every(({ joint }) => joint === "|")

/** The exit code that the command itself prints: `npm test; echo "exit: $?"`. */
const shownCode = (parts: readonly ShellPart[], lines: readonly string[]): number | undefined => {
  const place = parts.findIndex(
    ({ words }) => isPrinting(words[0] ?? "") && /\$\{?(?:\?|PIPESTATUS)/.test(words.join(" ")),
  )
  const [part, before] = [parts[place], parts[place - 1]]
  if (!part || !before || parts.filter((one) => isCheck(partKind(one))).length !== 1) return undefined
  const isPiped = parts[place - 2]?.joint === "|"
  if (isPiped && !part.text.includes("PIPESTATUS") && !hasPipefail(parts)) return undefined
  if (!isPiped && !isCheck(partKind(before))) return undefined
  const label = /([\w\s:=()[\]-]{0,200})\$\{?(?:\?|PIPESTATUS)/.exec(part.words.slice(1).join(" "))?.[1]?.trim() ?? ""
  const line = lines.findLast(
    (one) => one.trim().startsWith(label) && /^\D*\d{1,3}\D*$/.test(one.trim().slice(label.length)),
  )
  const number = line === undefined ? undefined : /\d{1,3}/.exec(line.trim().slice(label.length))?.[0]
  return number === undefined ? undefined : Number(number)
}

/** The outcome shown by which word `check && echo OK || echo BAD` has printed. */
const echoed = (parts: readonly ShellPart[], lines: readonly string[]): Outcome | undefined => {
  for (const [index, part] of parts.entries()) {
    const [then, otherwise] = [parts[index + 1], parts[index + 2]]
    if (part.joint !== "&&" || then?.joint !== "||" || then.words[0] !== "echo" || otherwise?.words[0] !== "echo")
      continue
    if (!isCheck(partKind(part)) || parts[index - 1]?.joint === "|") continue
    const has = ({ words }: ShellPart): boolean => lines.includes(words.slice(1).join(" ").trim())
    if (has(then) !== has(otherwise)) return has(then) ? "passed" : "failed"
  }
  return undefined
}

/** Whether the failure may be that of a part other than a check, before or after the checks. */
const mayBeOfOther = (parts: readonly ShellPart[]): boolean => {
  const stopsAtErrors = isStoppedAtErrors(parts)
  const stops = (part: ShellPart | undefined): boolean => part?.joint === "&&" || (part?.joint === ";" && stopsAtErrors)
  const isOneCheck = (part: ShellPart): boolean => isCheck(partKind(part))
  const [first, last] = [parts.findIndex(isOneCheck), parts.findLastIndex(isOneCheck)]
  return parts.some(
    (part, index) =>
      !isOneCheck(part) &&
      !hardlyFailing.has(part.words[0] ?? "") &&
      ((index < last && stops(part)) || (index > first && stops(parts[index - 1]))),
  )
}

const harmless = new Set(["echo", "printf", "cat", "tail", "head", "true", "cd", "pwd", "date", "sleep", ":"])

const hardlyFailing = new Set(
  "echo printf tail head true cd pwd date sleep : set export unset source . mkdir rm touch clear".split(" "),
)

/** Whether a part that is not a check follows the last check. */
const hasOtherBehind = (parts: readonly ShellPart[]): boolean => {
  const last = parts.findLastIndex((part) => isCheck(partKind(part)))
  return parts
    .slice(last + 1)
    .some((part, index) => parts[last + index]?.joint !== "|" && !harmless.has(part.words[0] ?? ""))
}
