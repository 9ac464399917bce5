/** Finds the most informative line of a failed check's output. */
import { sanitise } from "../plan/text/sanitise.ts"
import { failures, likelyFailures, testCounts, toolCounts } from "./_summaries.ts"

/** Lines in which a runner names the failed test or its place. */
const naming: readonly RegExp[] = [
  /^not ok \d+ /,
  /^(?:✗|✖|✕|×|✘) (?!failing tests|\d+ (?:problems?|failed))\S/,
  /^(?:FAIL|FAILED|--- FAIL:|\(fail\)|●)\s+\S/,
  /^test .+ \.\.\. FAILED$/,
  /\berror TS\d{4,5}:/,
]

/** Lines that describe the error. A passing test may print similar ones. */
const telling: readonly RegExp[] = [
  /^error(?:\[\w+\])?: (?!(?:script|Recipe|test failed|could not compile|aborting)\b)\S/i,
  /^\S+:\d+(?::\d+)?:? +(?:fatal )?error\b/,
  /^(?:\w*AssertionError|\w*Error \[ERR_ASSERTION\])\b/,
  /^E {2,}\S/,
  /^(?:panic|thread '.*' panicked)/,
]

const longestOutput = 64_000

export const failureLine = (output: string): string | undefined => {
  const lines = output
    .slice(-longestOutput)
    .split(/[\r\n]+/)
    .map((line) => sanitise(line).trim())
    .filter((line) => line !== "")
  const fits = (patterns: readonly RegExp[]) => (line: string) => patterns.some((pattern) => pattern.test(line))
  return (
    lines.find(fits(naming)) ??
    lines.find(fits(telling)) ??
    lines.findLast((line) => [...testCounts, ...toolCounts].some((pattern) => countedIn(pattern, line) > 0)) ??
    lines.findLast(fits([...failures, ...likelyFailures])) ??
    lines.at(-1)
  )?.slice(0, longestLine)
}

const longestLine = 400

const countedIn = (pattern: RegExp, line: string): number =>
  Number(
    pattern
      .exec(line)
      ?.slice(1)
      .find((group) => group !== undefined) ?? 0,
  )
