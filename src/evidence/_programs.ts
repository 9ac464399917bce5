/** The programs that check, build, format or commit, and how their arguments show which. */
import { afterOptions } from "./_options.ts"
import { scriptKind } from "./_script-kind.ts"
import type { CommandKind } from "./command-kind.ts"

type Kind = CommandKind | undefined

/** Returns the kind of a command inside another one. */
type Again = (words: readonly string[]) => Kind

/** The kind of the script that a package manager runs: `npm run x`, `pnpm -r x`, `yarn x`. */
const packageScript =
  (own: readonly string[]) =>
  (words: readonly string[], again: Again): Kind => {
    const rest = afterOptions(words, /^(?:-w|--workspace|-C|--prefix|--filter|-F|--dir|--cwd)$/)
    const [verb = "", ...behind] = rest
    if (["run", "run-script", "rum", "urn"].includes(verb)) {
      const [script = ""] = afterOptions(behind, /^(?:-w|--workspace|-C|--prefix|--filter|-F|--dir|--cwd)$/)
      return isWatchingScript(behind) ? undefined : scriptKind(script)
    }
    if (["exec", "dlx", "x"].includes(verb)) return again(afterOptions(behind, /^(?:-p|--package|-c)$/))
    if (verb === "test" || verb === "t" || verb === "tst") return isWatchingScript(behind) ? undefined : "test"
    if (verb === "workspace") return packageScript(own)(behind.slice(1), again)
    if (verb === "workspaces")
      return packageScript(own)(
        behind.filter((word) => word !== "foreach"),
        again,
      )
    if (own.includes(verb)) return undefined
    return scriptOrProgram(verb, behind, again)
  }

const scriptOrProgram = (script: string, behind: readonly string[], again: Again): Kind =>
  Object.hasOwn(programs, script) ? again([script, ...behind]) : scriptKind(script)

const isWatching = (words: readonly string[]): boolean =>
  words.some((word) => /^--?watch(?:All)?(?:=true)?$|^-w$/.test(word))

/** A package manager's own `-w` names a workspace; words after `--` are for the script. */
const isWatchingScript = (words: readonly string[]): boolean => {
  const place = words.indexOf("--")
  const own = (place < 0 ? words : words.slice(0, place)).filter((word) => word !== "-w")
  return isWatching(own) || (place >= 0 && isWatching(words.slice(place)))
}

const managing =
  "install i ci add remove uninstall update up upgrade init create ls list view info why audit outdated link publish pack config cache login whoami set get pkg version prune dedupe root bin store fund search import rebuild start".split(
    " ",
  )

const withVerb =
  (table: Readonly<Record<string, CommandKind>>, withValue = /^$/) =>
  (words: readonly string[]): Kind => {
    const verb = afterOptions(words, withValue)[0] ?? ""
    if (words.some((word) => /^--watch(?:=true)?$/.test(word))) return undefined
    return Object.hasOwn(table, verb) ? table[verb] : undefined
  }

/** The kind of the targets of make and similar programs: that of the first target with a known kind. */
const targets =
  (fallback?: CommandKind) =>
  (words: readonly string[]): Kind => {
    const named = afterOptions(words, /^(?:-C|-f|-j|--directory|--file|--justfile|-d|--working-directory)$/).filter(
      (word) => !word.startsWith("-") && !word.includes("="),
    )
    const behind = named[0] === "run" ? named.slice(1) : named
    for (const name of behind) {
      const kind = scriptKind(name)
      if (kind) return kind
    }
    return behind.length === 0 ? fallback : undefined
  }

/** The kind of the tasks of gradle and maven, where the last ones decide: `clean build`, `:app:testDebug`. */
const tasks = (words: readonly string[]): Kind => {
  const names = words.filter((word) => !word.startsWith("-")).map((word) => word.split(":").at(-1) ?? "")
  const isTested = names.some((name) => /test|^check$|^verify$|^connected/i.test(name))
  const skips = words.some((word) => /^-D(?:skipTests|maven\.test\.skip)/.test(word) || word === "-x")
  if (isTested && !skips) return "test"
  if (names.some((name) => /^(?:lint|ktlint|detekt|checkstyle|spotlessCheck)/i.test(name))) return "lint"
  if (names.some((name) => /^spotlessApply|^format/i.test(name))) return "format"
  return names.some((name) => /assemble|build|compile|package|install|^jar$|bundle|verify/i.test(name))
    ? "build"
    : undefined
}

const checkOr =
  (flags: RegExp, checked: CommandKind, otherwise: CommandKind) =>
  (words: readonly string[]): Kind =>
    words.some((word) => flags.test(word)) ? checked : otherwise

const python = (words: readonly string[], again: Again): Kind => {
  const flag = words.indexOf("-m")
  if (flag >= 0) {
    const [module = "", ...rest] = words.slice(flag + 1)
    if (module === "build") return "build"
    if (module === "py_compile" || module === "compileall") return "build"
    return again([module, ...rest])
  }
  const [script = "", verb = ""] = words.filter((word) => !word.startsWith("-"))
  if (script === "manage.py" || script === "setup.py")
    return withVerb({ test: "test", check: "lint", build: "build" })([verb])
  if (/^(?:test_\w+|\w+_tests?|runtests?)\.py$/.test(script.split("/").at(-1) ?? "")) return "test"
  return undefined
}

const node = (words: readonly string[], again: Again): Kind => {
  if (words.some((word) => word === "--test" || word.startsWith("--test-"))) return "test"
  if (words.includes("--check") || words.includes("-c")) return "build"
  const script = afterOptions(words, /^(?:--import|--require|-r|--loader|--env-file)$/)
  const name =
    (script[0] ?? "")
      .split("/")
      .at(-1)
      ?.replace(/\.[cm]?js$/, "") ?? ""
  if (/node_modules/.test(script[0] ?? "")) return again([name, ...script.slice(1)])
  return /\.(?:test|spec)$/.test(name) ? "test" : undefined
}

const go = withVerb({ test: "test", build: "build", vet: "lint", fmt: "format", install: "build" }, /^-C$/)

const cargo = (words: readonly string[]): Kind => {
  const rest = words.filter((word) => !word.startsWith("+"))
  if (rest[0] === "fmt") return rest.includes("--check") ? "lint" : "format"
  return withVerb({
    test: "test",
    t: "test",
    nextest: "test",
    build: "build",
    b: "build",
    check: "type-check",
    c: "type-check",
    clippy: "lint",
    bench: "test",
    doc: "build",
    llvm: "test",
    "llvm-cov": "test",
    tarpaulin: "test",
  })(rest)
}

const npx = (words: readonly string[], again: Again): Kind => again(afterOptions(words, /^(?:-p|--package|-c)$/))

const watched =
  (kind: CommandKind) =>
  (words: readonly string[]): Kind =>
    isWatching(words) || words[0] === "watch" || words[0] === "dev" ? undefined : kind

const git = (words: readonly string[]): Kind =>
  afterOptions(words, /^(?:-C|-c|--git-dir|--work-tree)$/)[0] === "commit" ? "commit" : undefined

const bun = (words: readonly string[], again: Again): Kind => {
  if (words[0] === "build") return "build"
  return packageScript(managing)(words, again)
}

const biome = (words: readonly string[]): Kind => {
  if (words.some((word) => /^--(?:write|fix|apply)/.test(word))) return "format"
  return withVerb({ check: "lint", ci: "lint", lint: "lint", format: "lint" })(words)
}

const ruff = (words: readonly string[]): Kind => {
  if (words[0] === "format") return words.includes("--check") || words.includes("--diff") ? "lint" : "format"
  return words[0] === "check" || (words[0] ?? "").startsWith("-") || words.length > 0 ? "lint" : undefined
}

/** Without a file, a compiler only prints information about itself: `gcc -v`. */
const compiler = (words: readonly string[]): Kind => (words.some((word) => !word.startsWith("-")) ? "build" : undefined)

const formatter = checkOr(/^(?:--check|-c|-l|--list-different|--diff|-d|--dry-run|-n|--lint)$/, "lint", "format")

export const programs: Readonly<Record<string, CommandKind | ((words: readonly string[], again: Again) => Kind)>> = {
  npm: packageScript(managing),
  pnpm: packageScript(managing),
  yarn: packageScript(managing),
  bun,
  npx,
  bunx: npx,
  pnpx: npx,
  tsx: node,
  "ts-node": node,
  node,
  deno: (words) =>
    words[0] === "task"
      ? scriptKind(words[1] ?? "")
      : withVerb({ test: "test", check: "type-check", lint: "lint", fmt: "format", compile: "build" })(words),
  vitest: watched("test"),
  jest: watched("test"),
  mocha: watched("test"),
  ava: watched("test"),
  tap: "test",
  jasmine: "test",
  karma: "test",
  cypress: withVerb({ run: "test" }),
  playwright: withVerb({ test: "test" }),
  c8: npx,
  nyc: npx,
  pytest: "test",
  "py.test": "test",
  tox: "test",
  nox: "test",
  unittest: "test",
  coverage: (words, again) => (words[0] === "run" ? python(words.slice(1), again) : undefined),
  python,
  python3: python,
  py: python,
  go,
  gotestsum: "test",
  ginkgo: "test",
  "golangci-lint": withVerb({ run: "lint", fmt: "format" }),
  staticcheck: "lint",
  gofmt: formatter,
  goimports: formatter,
  gofumpt: formatter,
  cargo,
  rustc: compiler,
  cross: cargo,
  gradle: tasks,
  gradlew: tasks,
  mvn: tasks,
  mvnw: tasks,
  sbt: tasks,
  ant: targets("build"),
  bazel: withVerb({ test: "test", build: "build" }),
  bazelisk: withVerb({ test: "test", build: "build" }),
  make: targets("build"),
  gmake: targets("build"),
  ninja: targets("build"),
  cmake: checkOr(/^--build$/, "build", "other"),
  ctest: "test",
  meson: withVerb({ test: "test", compile: "build" }),
  just: targets(),
  task: targets(),
  mise: (words) => targets()(words[0] === "run" || words[0] === "r" ? words.slice(1) : words),
  turbo: targets(),
  nx: (words) =>
    words[0] === "run-many" || words[0] === "affected"
      ? scriptKind(
          words.find((word) => /^(?:-t|--targets?)=/.test(word))?.split("=")[1] ??
            words[words.findIndex((word) => /^(?:-t|--targets?)$/.test(word)) + 1] ??
            "",
        )
      : words[0] === "run"
        ? scriptKind((words[1] ?? "").split(":")[1] ?? "")
        : targets()(words),
  lerna: (words) => (words[0] === "run" ? scriptKind(words[1] ?? "") : undefined),
  rush: targets(),
  moon: (words) => scriptKind((words.at(-1) ?? "").split(":").at(-1) ?? ""),
  wireit: targets(),
  tsc: watched("type-check"),
  "vue-tsc": watched("type-check"),
  "svelte-check": watched("type-check"),
  tsgo: watched("type-check"),
  flow: withVerb({ check: "type-check" }),
  astro: withVerb({ build: "build", check: "type-check" }),
  mypy: "type-check",
  pyright: "type-check",
  basedpyright: "type-check",
  ty: withVerb({ check: "type-check" }),
  pyre: "type-check",
  eslint: "lint",
  oxlint: "lint",
  xo: "lint",
  standard: "lint",
  stylelint: "lint",
  tslint: "lint",
  knip: "lint",
  markdownlint: "lint",
  "markdownlint-cli2": "lint",
  shellcheck: "lint",
  hadolint: "lint",
  yamllint: "lint",
  actionlint: "lint",
  "ansible-lint": "lint",
  flake8: "lint",
  pylint: "lint",
  bandit: "lint",
  "pre-commit": withVerb({ run: "lint" }),
  lefthook: withVerb({ run: "lint" }),
  rubocop: checkOr(/^(?:-a|-A|--auto-?correct.*)$/, "format", "lint"),
  phpstan: withVerb({ analyse: "type-check", analyze: "type-check" }),
  psalm: "type-check",
  ruff,
  biome,
  prettier: formatter,
  dprint: withVerb({ check: "lint", fmt: "format" }),
  black: formatter,
  isort: checkOr(/^(?:-c|--check|--check-only|--diff)$/, "lint", "format"),
  rustfmt: formatter,
  "clang-format": formatter,
  "clang-tidy": "lint",
  shfmt: formatter,
  swiftlint: "lint",
  swiftformat: formatter,
  ktlint: checkOr(/^(?:-F|--format)$/, "format", "lint"),
  detekt: "lint",
  rspec: "test",
  minitest: "test",
  rake: targets("test"),
  rails: withVerb({ test: "test", "test:all": "test", spec: "test" }),
  phpunit: "test",
  pest: "test",
  artisan: withVerb({ test: "test" }),
  composer: (words) =>
    words[0] === "run" || words[0] === "run-script" ? scriptKind(words[1] ?? "") : scriptKind(words[0] ?? ""),
  php: (words, again) =>
    words[0] === "artisan"
      ? again(words)
      : words[0] === "-l"
        ? "build"
        : /vendor\/bin/.test(words[0] ?? "")
          ? again(words)
          : undefined,
  dotnet: withVerb({ test: "test", build: "build", publish: "build", format: "format" }),
  msbuild: "build",
  xcodebuild: (words) =>
    words.some((word) => /^test/.test(word))
      ? "test"
      : words.includes("build") || words.includes("archive")
        ? "build"
        : undefined,
  swift: withVerb({ test: "test", build: "build" }),
  flutter: withVerb({ test: "test", build: "build", analyze: "lint" }),
  dart: withVerb({ test: "test", analyze: "lint", compile: "build", format: "format" }),
  mix: withVerb({ test: "test", compile: "build", credo: "lint", dialyzer: "type-check", format: "format" }),
  rebar3: withVerb({ eunit: "test", ct: "test", compile: "build", dialyzer: "type-check" }),
  stack: withVerb({ test: "test", build: "build" }),
  cabal: withVerb({ test: "test", build: "build", "v2-test": "test", "v2-build": "build" }),
  dune: withVerb({ test: "test", runtest: "test", build: "build" }),
  zig: (words) =>
    words[0] === "build" ? (words[1] === "test" ? "test" : "build") : words[0] === "test" ? "test" : undefined,
  lein: withVerb({ test: "test" }),
  bats: "test",
  busted: "test",
  prove: "test",
  k6: withVerb({ run: "test" }),
  newman: withVerb({ run: "test" }),
  webpack: watched("build"),
  vite: withVerb({ build: "build" }),
  rollup: watched("build"),
  esbuild: watched("build"),
  tsup: watched("build"),
  tsdown: watched("build"),
  swc: watched("build"),
  babel: watched("build"),
  parcel: withVerb({ build: "build" }),
  next: withVerb({ build: "build", lint: "lint" }),
  nuxt: withVerb({ build: "build", typecheck: "type-check" }),
  nuxi: withVerb({ build: "build", typecheck: "type-check" }),
  ng: withVerb({ build: "build", test: "test", lint: "lint", e2e: "test" }),
  expo: withVerb({ export: "build", prebuild: "build" }),
  "react-scripts": withVerb({ build: "build", test: "test" }),
  hugo: (words) => (words.every((word) => /^-(?!w$|-watch$)/.test(word)) ? "build" : undefined),
  terraform: withVerb({ validate: "lint", fmt: "format" }),
  helm: withVerb({ lint: "lint" }),
  forge: withVerb({ test: "test", build: "build", fmt: "format" }),
  hardhat: withVerb({ test: "test", compile: "build" }),
  anchor: withVerb({ test: "test", build: "build" }),
  gcc: compiler,
  "g++": compiler,
  clang: compiler,
  "clang++": compiler,
  javac: compiler,
  kotlinc: compiler,
  "docker-build": "build",
  git,
}
