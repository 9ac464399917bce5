/** What a check covers, as far as its words show. A passing run of fewer tests does not resolve a wider failure. */
import { programs } from "./_programs.ts"
import { scriptKind } from "./_script-kind.ts"
import { type CommandKind, partKind } from "./command-kind.ts"
import { foldersOf, isInside, resolved } from "./folders.ts"
import { shellParts } from "./shell-parts.ts"

export type Selection = {
  /** Options that narrow the selection; the more of them, the less is checked. */
  conditions: readonly string[]
  /** Files, folders and names to check; the more of them, the more is checked. */
  places: readonly string[]
  /** The folders in which it was run, as far as known: see `foldersOf`. */
  folders: readonly string[]
  /** The languages it checks, if its programs show them: none for `make`. */
  languages: readonly string[]
}

/** Whether the later check covers everything that the earlier one did. */
export const covers = (later: Selection, earlier: Selection): boolean =>
  later.conditions.every((one) => earlier.conditions.includes(one)) &&
  (later.languages.length === 0 || earlier.languages.every((one) => later.languages.includes(one))) &&
  earlier.folders.every((one) => later.folders.some((other) => isInside(one, other) !== false)) &&
  (later.places.length === 0 || orAll(earlier.places).every((one) => later.places.some((other) => isIn(one, other))))

const orAll = (places: readonly string[]): readonly string[] => (places.length === 0 ? [""] : places)

/** Compares whole names: `tests/unit_slow` is not in `tests/unit`. */
const isIn = (place: string, other: string): boolean =>
  place.startsWith(other) && (/^$|[/\\]$/.test(other) || /^(?:$|[/\\:.[])/.test(place.slice(other.length)))

/** `start` is the folder in which the command begins; `""` if unknown. */
export const selectionOf = (command: string, kind: CommandKind, start = ""): Selection => {
  const found: Selection[] = []
  const exported: string[] = []
  const parts = shellParts(command)
  const folders = foldersOf(parts, start)
  for (const [index, part] of parts.entries()) {
    const [program = "", ...words] = part.words
    if (program === "export") exported.push(...words.filter((word) => isAssignment.test(word)))
    else if (partKind(part) === kind) {
      const selection = selectionIn([...part.words, ...exported, ...assignmentsOf(part.text)])
      const at = folders[index] ?? ""
      found.push({ ...selection, folders: orAll(selection.folders).map((folder) => resolved(at, folder)) })
    }
  }
  return {
    conditions: found.flatMap(({ conditions }) => conditions),
    places: found.flatMap(({ places }) => places),
    folders: found.flatMap(({ folders }) => folders),
    languages: found.flatMap(({ languages }) => languages),
  }
}

/** The variables set before a command: `SKIP_E2E=1 npm test`. */
const assignmentsOf = (text: string): string[] =>
  (
    /^(?:\w+=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+/.exec(text)?.[0].match(/(?<!\w)\w+=(?:'[^']*'|"[^"]*"|[^\s'"])*/g) ?? []
  ).map((word) => word.replaceAll(/['"]/g, ""))

const isAssignment = /^\w+=/

const selectionIn = (all: readonly string[]): Selection => {
  const [conditions, names, folders]: [string[], string[], string[]] = [[], [], []]
  const words = all.slice(1)
  const picks = all.some((word) => word === "ctest" || word === "nextest")
  for (const [index, word] of words.entries()) {
    const [before = "", next = ""] = [words[index - 1], words[index + 1]]
    const [option = "", value = next] = word.split(/=(.*)/s)
    if (folderOption.test(option)) folders.push(value)
    else if (isAssignment.test(word)) conditions.push(...(narrows(option, value) ? [word] : []))
    else if (condition.test(word) || (word === "-m" && !isProgramName(next)) || (picks && picking.test(word)))
      conditions.push(`${option}=${value}`)
    else if (word.startsWith("-") || isValueOf(before)) continue
    else if (isScript(word)) conditions.push(word)
    else if (isPlace(word) || isName(word, before)) names.push(word)
  }
  const language = all.flatMap((word) => languageOf(word) ?? []).at(-1)
  const places = all.includes("go") ? packagesIn(names) : names.map(placeIn)
  return { conditions, places, folders, languages: language === undefined ? [] : [language] }
}

const isValueOf = (option: string): boolean =>
  condition.test(option) || withValue.test(option) || folderOption.test(option)

const placeIn = (word: string): string => word.replace(/^\.\//, "").replace(/\.{3}$|^\.$/, "")

/**
 * In Go, a place without `...` is a single package without those below it, and no place means the package in this
 * folder.
 */
const packagesIn = (words: readonly string[]): string[] =>
  (words.length === 0 ? ["."] : words).map((word) =>
    word.endsWith("...") ? placeIn(word) : `${placeIn(word)}/package`.replace(/^\//, ""),
  )

/** Options that select or exclude what is checked by name, mark or package. */
const condition =
  /^(?:-k|-t|-g|-run|-short|-Dtest|-DskipITs|-Dgroups|-DexcludedGroups|-pl|-p|-w|--projects?|--workspace|--tests|--grep|--fgrep|--grep-invert|--test_filter|--test_tag_filters|--filter|-F|--only|--testNamePattern|--testPathPatterns?|--testPathIgnorePatterns|--test-name-pattern|--lib|--bin|--doc|--ignore|--deselect|--skip|--exclude[\w-]*|--group|--suite|--testsuite|--tags?|--shard|--onlyChanged|--only-changed|--changed|--changedSince|--findRelatedTests|--related)(?:=|$)/

/** Options with which ctest and nextest select or exclude tests. They have other meanings for most programs. */
const picking = /^-(?:R|E|L|LE)$/

/** Whether a variable selects or excludes tests, by its name: `TESTS=a`. Most others say how or where tests run. */
const narrows = (name: string, value: string): boolean => {
  if (/(?:ARGS|OPTS)$/i.test(name)) return value.split(/\s+/).some((word) => passedOn.test(word))
  if (/^(?:0|false|no|off)?$/i.test(value) || aboutSetup.test(name)) return false
  // `RUN_SLOW_TESTS=1` excludes nothing.
  return leavingOut.test(name) || (/(?:^|_)TESTS?$/i.test(name) && !/^(?:1|true|yes|on)$/i.test(value))
}

const leavingOut =
  /(?:^|_)(?:SKIP|ONLY|FILTER|GREP|EXCLUDE|SUITE|SHARD|TAGS?|SPECS?|PATTERN|QUICK|FAST|SHORT|SMOKE|PKGS?|PACKAGES?)(?:_|$)/i

/** Variables that skip something other than tests: `SKIP_ENV_VALIDATION=1 npm run build`. */
const aboutSetup =
  /(?:^|_)(?:ENV|PREFLIGHT|DOWNLOADS?|(?:POST)?INSTALL|HOOKS|MIGRATIONS?|UPDATES?|CACHE|TELEMETRY)(?:_|$)/i

/** Options in a variable with arguments for a test runner: `PYTEST_ADDOPTS="-k login"`. */
const passedOn =
  /^(?:-k|-m|-t|-run|--grep|--filter|--tests?|--testNamePattern|--ignore|--deselect|--skip|--exclude[\w-]*|--only[\w-]*)(?:=|$)/

const folderOption = /^(?:-C|--prefix|--cwd|--dir|--rootdir)$/

/** Options followed by a file that is not itself checked. */
const withValue = /^(?:-c|-f|-o|--config|--outDir|--env-file|-r|--require|--ext|--ignore-path)$/

/** Options without a value: the next word is an argument. */
const withoutValue = /^(?:-[vxqsi]|--|--verbose|--run|--ci|--bail|--release|--silent|--coverage|--runInBand|--test)$/

/** Whether a word is a place to check, and not the project's own program: `python manage.py test shop`. */
const isPlace = (word: string): boolean =>
  /^\.{1,2}$|[/\\]|::|\.[a-z]{1,4}$/i.test(word) && !/(?:^|\/)(?:manage|setup)\.py$/.test(word)

/** Whether a script or target checks only a part, by its name: `test:unit`. */
const isScript = (word: string): boolean =>
  !isPlace(word) && scriptKind(word) !== undefined && !whole.test(word) && !verbs.has(word) && !isProgramName(word)

const whole =
  /^(?:tests?|specs?|check|lint|build|verify|ci|types?|tsc|type-?check)(?:[:_-](?:run|ci|all|once|full|cov|coverage|verbose|silent|quiet))*$/i

/** Whether a word selects tests by a part of their names, as in `vitest run login`. */
const isName = (word: string, before: string): boolean =>
  /^[A-Za-z][\w-]*$/.test(word) &&
  !verbs.has(word) &&
  !whole.test(word) &&
  !isProgramName(word) &&
  (!before.startsWith("-") || withoutValue.test(before))

const verbs: ReadonlySet<string> = new Set(
  "run run-script t x exec dlx all clean package install compile task compose nextest llvm-cov validate analyse analyze vet clippy workspaces foreach run-many affected".split(
    " ",
  ),
)

const isProgramName = (word: string): boolean => Object.hasOwn(programs, word)

const languages: readonly [language: string, programs: RegExp][] = [
  ["browser", /^(?:playwright|cypress)$/],
  [
    "javascript",
    /^(?:npm|pnpm|yarn|bunx?|npx|pnpx|node|deno|tsx|jest|vitest|mocha|ava|tsc|vue-tsc|eslint|oxlint|biome|vite|webpack)$/,
  ],
  ["python", /^(?:python[\d.]*|py|pytest|py\.test|unittest|tox|nox|ruff|flake8|pylint|mypy|pyright|basedpyright)$/],
  ["rust", /^cargo$/],
  ["go", /^(?:go|gotestsum|ginkgo|golangci-lint|staticcheck)$/],
  ["java", /^(?:gradlew?|mvnw?|sbt)$/],
  ["ruby", /^(?:rspec|rake|rails|rubocop)$/],
  ["php", /^(?:phpunit|pest|php|composer|phpstan|psalm)$/],
]

const languageOf = (word: string): string | undefined => {
  const name = word.slice(word.lastIndexOf("/") + 1)
  return languages.find(([, pattern]) => pattern.test(name))?.[0]
}
