/** Classifies a shell command: a test, a build, another check, a commit, or something else. */
import { afterOptions } from "./_options.ts"
import { programs } from "./_programs.ts"
import { scriptKind } from "./_script-kind.ts"
import { type ShellPart, shellParts } from "./shell-parts.ts"

export type CommandKind = "test" | "build" | "type-check" | "lint" | "format" | "commit" | "other"

/** Whether the outcome of this kind is evidence about the code. */
export const isCheck = (kind: CommandKind): boolean =>
  kind === "test" || kind === "build" || kind === "type-check" || kind === "lint"

/** The kind of a whole command: that of its most significant part. */
export const commandKind = (command: string): CommandKind => {
  const kinds = new Set(shellParts(command).map(partKind))
  return order.find((kind) => kinds.has(kind)) ?? "other"
}

/** Whether a check may fail on purpose: one of several in a row, or one that says so. */
export const mayMeanToFail = (command: string): boolean =>
  shellParts(command).filter((part) => part.joint === ";" && isCheck(partKind(part))).length > 0 ||
  /\bnegative\b|\b(?:expect|should|must)\w*[ -]?(?:to )?fail|\|\| (?:echo|true)/i.test(command)

const order: readonly CommandKind[] = ["test", "build", "type-check", "lint", "commit", "format"]

/** The kind of a simple command. */
export const partKind = (part: Pick<ShellPart, "words">): CommandKind => {
  if (!isProgram(part.words[0] ?? "")) return "other"
  const kept = known.get(part)
  if (kept) return kept
  const words = withoutWrappers(part.words)
  const found = isOnlyListing(words) ? "other" : kindOf(words, 0)
  // `cargo test --no-run` only compiles the tests.
  const kind = found === "test" && words.includes("--no-run") ? "build" : found
  known.set(part, kind)
  return kind
}

/** Whether a word may name a program: a path, or a plain name. */
export const isProgram = (word: string): boolean => /^[\w./~@+$\\:-]{1,400}$/.test(word) || word.startsWith("/")

/** A cache: a part never changes, and its kind is needed several times. */
const known = new WeakMap<Pick<ShellPart, "words">, CommandKind>()

const kindOf = ([given = "", ...rest]: readonly string[], depth: number): CommandKind => {
  if (depth > 5 || isOnlyAsking(rest)) return "other"
  const program = programName(given)
  const read = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (typeof read === "string") return read
  if (read) return read(rest, (words) => kindOf(withoutWrappers(words), depth + 1)) ?? "other"
  // A script of the project, by its name or its arguments: `./scripts/run-tests.sh`, `./dev.sh test`.
  return /^\.{0,2}\/|\.(?:sh|py|js|mjs|ts)$/.test(given)
    ? (scriptKind(program.replace(/\.\w+$/, "")) ?? scriptKind(rest[0] ?? "") ?? "other")
    : "other"
}

/** The name of a program without its folder, version and file extension. */
export const programName = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  // Most names have no version, and a very long word is a text.
  return name.length <= longestName && /[.@\d]/.test(name) ? withoutVersion(name) : name
}

const longestName = 100

const withoutVersion = (name: string): string =>
  name
    .replace(/\.(?:exe|cmd|bat|phar)$/, "")
    .replace(/^python[\d.]+$/, "python")
    .replace(/@[\w.^~-]+$/, "")

/** A command that only prints help or a version. */
const isOnlyAsking = (words: readonly string[]): boolean =>
  words.length > 0 && words.length <= 2 && words.every((word) => /^(?:--help|-h|--version|-V|help|version)$/.test(word))

/** A command that only lists tests or steps, or prints its configuration. */
const isOnlyListing = ([program = "", ...words]: readonly string[]): boolean =>
  words.some((word) => listing.test(word)) ||
  words.includes("--help") ||
  listingOf.some(([tool, option, verb]) => {
    const all = [program, ...words]
    const place = all.findIndex((word) => tool.test(programName(word)))
    return place >= 0 && (all.slice(place + 1).some((word) => option.test(word)) || verb?.test(all[place + 1] ?? ""))
  })

const listing =
  /^(?:--collect-only|--co|--list|--listTests|--list-(?:tests|groups|suites)|--listenvs|--just-print|--print-config|--show-?config|--setup-(?:plan|only)|--fixtures|--markers|--cache-show|--clear-?cache|--init|--graph|--generate-rcfile|--auto-gen-config|--install-types|--env-info)$/i

/** Options, and verbs, that have this meaning only for certain programs. */
const listingOf: readonly [tool: RegExp, option: RegExp, verb?: RegExp][] = [
  [/^(?:g?make|gradlew?|just)$/, /^(?:-n|-m|--dry-run)$/],
  [/^g?make$/, /^(?:-q|--question|-t|--touch)$/],
  [/^(?:mocha|rspec)$/, /^--dry-run$/],
  [/^go$/, /^-(?:list(?:=.*)?|n)$/],
  [/^ctest$/, /^(?:-N|--show-only(?:=.*)?)$/],
  [/^dotnet$/, /^-t$/],
  [/^tox$/, /^(?:-l|-n|--notest)$/, /^(?:l|list|config)$/],
  [/^bats$/, /^(?:-c|--count)$/],
  [/^bazel(?:isk)?$/, /^--(?:nobuild|build=false|build=0)$/],
  [/^phpunit$/, /^--list-tests-xml(?:=.*)?$/],
  [/^nox$/, /^(?:-l|--list-sessions)$/],
  [/^rake$/, /^(?:-A?[TPWDn]|--tasks|--prereqs|--where|--describe|--dry-run)$/],
  [/^vitest$/, /^$/, /^(?:list|init)$/],
]

/** Programs that run another one, and those of their options that take a value. */
const wrappers: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ugh]$/,
  env: /^-[uC]$/,
  nice: /^-n$/,
  nohup: /^$/,
  exec: /^$/,
  stdbuf: /^-[ioe]$/,
  xvfb: /^$/,
  "xvfb-run": /^-[nsef]$/,
  "cross-env": /^$/,
  dotenv: /^-[efc]$/,
  dotenvx: /^-f$/,
  caffeinate: /^$/,
  unbuffer: /^$/,
  winpty: /^$/,
  rtk: /^$/,
}

/** Programs that run another one after a word: `uv run pytest`. */
const runners: Readonly<Record<string, readonly string[]>> = {
  uv: ["run"],
  poetry: ["run"],
  pipenv: ["run"],
  pdm: ["run"],
  rye: ["run"],
  hatch: ["run"],
  bundle: ["exec"],
  mise: ["exec", "x"],
  rtx: ["exec"],
  asdf: ["exec"],
  direnv: ["exec"],
  nix: ["develop"],
  doppler: ["run"],
  op: ["run"],
  conda: ["run"],
  opam: ["exec"],
  stack: ["exec"],
}

export const withoutWrappers = (given: readonly string[]): readonly string[] => {
  let words = given
  for (let step = 0; step < 6; step += 1) {
    const [first = "", ...rest] = words
    const name = programName(first)
    if (name === "timeout" || name === "gtimeout") words = afterOptions(rest, /^-[ks]$/).slice(1)
    else if (name === "time") words = afterOptions(rest, /^$/)
    else if (Object.hasOwn(wrappers, name))
      words = afterOptions(rest, wrappers[name] ?? /^$/).filter(
        (word, index, all) => index > 0 || !/^\w+=/.test(word) || all.length === 1,
      )
    else if (Object.hasOwn(runners, name) && runners[name]?.includes(rest[0] ?? "")) {
      const behind = afterOptions(
        rest.slice(1),
        /^(?:-p|--python|--with|--extra|--group|--project|--directory|-C|-n|--package)$/,
      )
      words = name === "direnv" ? behind.slice(1) : behind
    } else if (name === "docker" || name === "podman" || name === "docker-compose") words = inContainer(rest)
    else return words
    if (words.length === 0) return given
    if (/^\w+=/.test(words[0] ?? "")) words = words.slice(words.findIndex((word) => !/^\w+=/.test(word)))
  }
  return words
}

/**
 * The command run inside a container: `docker compose exec app npm test`. A service without a command runs its default
 * one, recognised by the service's name.
 */
const inContainer = (words: readonly string[]): readonly string[] => {
  const verb = words.findIndex((word) => word === "exec" || word === "run")
  if (verb < 0) return words[0] === "build" || words[1] === "build" ? ["docker-build"] : []
  const [service = "", ...command] = afterOptions(
    words.slice(verb + 1),
    /^(?:-e|--env|-w|--workdir|-u|--user|-v|--volume|--name|-p|--network|--entrypoint)$/,
  )
  return command.length > 0 || service === "" ? command : [`./${service}`]
}
