/** The programs that change files, and which files they change according to their arguments. */
import { afterOptions } from "./_options.ts"

/** The files that a command changes; `.` for files that it does not name. */
type Named = (words: readonly string[]) => readonly string[]

export const plain = (words: readonly string[]): string[] =>
  words.filter((word) => word !== "" && !word.startsWith("-"))

const everything: Named = () => ["."]
const all: Named = plain
const last: Named = (words) => plain(words).slice(-1)
const first: Named = (words) => plain(words).slice(0, 1)

/** Changes files only with a certain option. */
const given =
  (option: RegExp, named: Named): Named =>
  (words) =>
    words.some((word) => option.test(word)) ? named(words) : []

const without =
  (option: RegExp, named: Named): Named =>
  (words) =>
    words.some((word) => option.test(word)) ? [] : named(words)

/** The files after a script, which is the first argument or follows each `-e`. */
const behindScript =
  (option: RegExp): Named =>
  (words) =>
    plain(words).slice(Math.max(1, words.filter((word) => option.test(word)).length))

/** The value of an option, joined to it or separate, otherwise the result of `otherwise`. */
const optionValue =
  (option: RegExp, otherwise: Named): Named =>
  (words) => {
    for (const [index, word] of words.entries()) {
      const found = option.exec(word)
      if (found) return [found[1] || (words[index + 1] ?? ".")]
    }
    return otherwise(words)
  }

/** The last path, unless it is on another machine. */
const here: Named = (words) => last(words).filter((path) => !/^[\w.@-]+:/.test(path) || /^[A-Za-z]:[\\/]/.test(path))

const perl = given(/^-\w*i(?:\.\w+)?$|^-i/, behindScript(/^-\w*[eE]$/))
const editor = given(/^(?:-c|-s|-e|-es|-Es|--headless|--batch|\+.+)$/, last)
const patching: Named = (words) => first(words).concat("patch").slice(0, 1)
const powershell = optionValue(/^-(?:LiteralPath|Path|FilePath|Destination)$/i, last)

/** Whether a path is a patch, whose files are known only when it is applied. */
export const isPatch = (path: string): boolean => /(?:^|\/)(?:patch|-)$|\.(?:patch|diff)$/.test(path)

/** The programs by name. */
export const changers: Readonly<Record<string, Named>> = {
  sed: given(/^(?:-[nErsz]*i|--in-place)/, behindScript(/^(?:-\w*e|--expression(?:=.*)?)$/)),
  gsed: given(/^(?:-[nErsz]*i|--in-place)/, behindScript(/^-\w*e$/)),
  perl,
  ruby: perl,
  yq: given(/^(?:-\w*i|--inplace)$/, last),
  awk: given(/^inplace$/, last),
  gawk: given(/^inplace$/, last),
  sd: without(/^(?:-p|--preview)$/, (words) => plain(words).slice(2)),
  dd: (words) => words.flatMap((word) => /^of=(.+)$/.exec(word)?.[1] ?? []),
  tee: all,
  sponge: all,
  mv: last,
  cp: last,
  rsync: without(/^(?:-\w*n\w*|--dry-run|--list-only)$/, here),
  scp: here,
  install: last,
  ln: last,
  touch: all,
  truncate: all,
  shred: all,
  unlink: all,
  rm: (words) => plain(words).filter((path) => !made.test(path)),
  rename: without(/^-\w*n/, everything),
  prename: without(/^-\w*n/, everything),
  patch: without(/^--dry-run$/, patching),
  apply_patch: () => ["patch"],
  applypatch: () => ["patch"],
  ed: last,
  ex: last,
  vi: editor,
  vim: editor,
  nvim: editor,
  emacs: editor,
  unzip: without(/^-\w*[lptvZ]/, optionValue(/^-d(.*)$/, everything)),
  tar: given(/^-?[a-wyzA-Z]*x[a-zA-Z]*$|^--extract$/, optionValue(/^(?:-C|--directory=?)(.*)$/, everything)),
  curl: optionValue(/^(?:-\w*o|--output)$/, given(/^(?:-\w*O|--remote-name)$/, everything)),
  wget: without(/^(?:-\w*O-|--spider|--version)$/, optionValue(/^(?:-\w*O|--output-document=?)(.*)$/, everything)),
  dos2unix: all,
  unix2dos: all,
  jscodeshift: without(/^(?:-d|--dry|--dry=.*)$/, everything),
  codemod: everything,
  fastmod: everything,
  comby: given(/^-(?:i|in-place)$/, everything),
  "ast-grep": given(/^(?:-U|--update-all)$/, everything),
  sg: given(/^(?:-U|--update-all)$/, everything),
  gritql: everything,
  grit: given(/^apply$/, without(/^--dry-run$/, everything)),
  semgrep: given(/^--autofix$/, everything),
  "2to3": given(/^-\w*w/, all),
  pyupgrade: all,
  autoflake: given(/^(?:-\w*i|--in-place)$/, all),
  autopep8: given(/^(?:-\w*i|--in-place)$/, all),
  gopls: given(/^-w$/, everything),
  gorename: everything,
  plop: everything,
  hygen: everything,
  yo: everything,
  copier: everything,
  cookiecutter: everything,
  degit: everything,
  "graphql-codegen": everything,
  "openapi-typescript": everything,
  orval: everything,
  mockgen: everything,
  protoc: everything,
  ncu: given(/^(?:-u|--upgrade)$/, everything),
  "npm-check-updates": given(/^(?:-u|--upgrade)$/, everything),
  "set-content": powershell,
  "add-content": powershell,
  "clear-content": powershell,
  "out-file": powershell,
  "new-item": powershell,
  "remove-item": powershell,
  "move-item": powershell,
  "copy-item": powershell,
  "rename-item": powershell,
  del: all,
  copy: last,
  move: last,
  ren: last,
}

/** Folders that programs generate. */
export const made =
  /(?:^|\/)(?:dist|build|out|coverage|target|node_modules|__pycache__|test-results|playwright-report|\.(?:next|nuxt|turbo|cache|pytest_cache|mypy_cache|ruff_cache|nyc_output))\/?$/

/** Names of files that programs leave behind, as patterns for `find -name`. */
export const leftBehind = /^(?:\*?\.(?:pyc|pyo|log|tmp|bak|orig|rej|swp|tsbuildinfo)|\.DS_Store|\*~)$/

/** The verbs with which programs change files of the project without naming them. */
export const changingVerbs: Readonly<Record<string, RegExp>> = {
  npm: /^(?:(?:i|install|add)(?= \S)|uninstall|un|remove|rm|update|up|upgrade|version(?= \S)|init|pkg (?:set|delete|fix)|audit fix|dedupe)\b/,
  pnpm: /^(?:(?:i|install)(?= \S)|add|uninstall|un|remove|rm|update|up|upgrade|version(?= \S)|init|pkg set|patch-commit|import|dedupe)\b/,
  yarn: /^(?:add|remove|up|upgrade|version(?= \S)|init|import|patch-commit|set|dedupe)\b/,
  bun: /^(?:(?:i|install)(?= \S)|add|remove|rm|update|init|create|patch)\b/,
  uv: /^(?:add|remove|init|version(?= \S))\b/,
  poetry: /^(?:add|remove|init|new|update|version(?= \S))\b/,
  cargo: /^(?:add|remove|rm|fix|init|new|update|generate|set-version)\b/,
  go: /^(?:get|generate|fix|mod (?:tidy|edit|vendor|init)|work (?:use|edit|sync|init))\b/,
  bundle: /^(?:add|remove|update|init)\b/,
  composer: /^(?:require|remove|update|init)\b/,
  dotnet: /^(?:add|remove|new|ef migrations)\b/,
  flutter: /^(?:create|pub (?:add|remove|upgrade))\b/,
  dart: /^(?:create|fix|pub (?:add|remove|upgrade))\b/,
  prisma: /^(?:generate|migrate (?:dev|diff)|db pull|format|init)\b/,
  drizzle: /^generate\b/,
  "drizzle-kit": /^generate\b/,
  alembic: /^(?:revision|init|merge)\b/,
  rails: /^(?:g|generate|d|destroy|new|db:migrate|db:rollback)\b/,
  "manage.py": /^(?:makemigrations|startapp|makemessages|squashmigrations)\b/,
  artisan: /^make:/,
  changeset: /^version\b/,
  lerna: /^(?:version|create|init|add)\b/,
  nx: /^(?:g|generate|migrate|add|import)\b/,
  ng: /^(?:g|generate|add|update|new)\b/,
  shadcn: /^(?:add|init)\b/,
  buf: /^generate\b/,
  sqlc: /^generate\b/,
  "openapi-generator": /^generate\b/,
  "openapi-generator-cli": /^generate\b/,
  git: /^(?:filter-branch|filter-repo|checkout-index|read-tree|merge-file)\b/,
}

/** Whether an option makes a command global, outside the project: `npm i -g tsx`. */
export const isGlobal = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:-g|--global|--location=global|--no-save|--dry-run|--abort)$/.test(word))

/** Words in the name of a script, target or tool that changes something. */
export const changingName =
  /(?:^|[/:._-])(?:gen(?:erate)?|codegen|codemod|migrate|rename|replace|rewrite|refactor|convert|transform|update|upgrade|bump|sync|apply|patch|inject|scaffold|create|add|remove|delete|insert|edit|modify|move|overwrite|append|strip|split|write|fix(?:up|es)?)(?:$|[/:._-])/i

/** Words in the name of an agent's own script that only reads. */
export const lookingName =
  /(?:^|[/:._-])(?:tests?|try|check|verify|demo|repro|bench|print|show|list|dump|analy[sz]e|debug|inspect|count|find|read|probe|measure|compare|diff|query|smoke|server?)(?:$|[/:._\d-])/i

/** Programs that pass another program's results to a command, and their options with a value. */
export const feeding: Readonly<Record<string, RegExp>> = {
  xargs: /^-(?:[InPLdasE]|-(?:max-args|max-procs|replace|delimiter))$/,
  parallel: /^-(?:[jIN]|-jobs)$/,
}

/** The words after a program that runs a package's program: `npx jscodeshift`, `pnpm dlx shadcn add`. */
export const fetched = (words: readonly string[]): readonly string[] => {
  const [program = "", ...rest] = words
  if (/^(?:npx|bunx|pnpx|uvx)$/.test(program)) return afterOptions(rest, /^(?:-p|--package|--from)$/)
  if (/^(?:npm|pnpm|yarn|bun|pipx)$/.test(program) && /^(?:exec|dlx|x|run)$/.test(rest[0] ?? "") && rest[0] !== "run")
    return afterOptions(rest.slice(1), /^(?:-p|--package)$/)
  return program === "pipx" && rest[0] === "run" ? rest.slice(1) : words
}
