/** Recognises files that name programs which git, an editor, a shell or an agent runs later without asking. */
import { lstat } from "node:fs/promises"
import { basename, dirname, join, sep } from "node:path"

/**
 * Takes a path inside the working folder with every link followed: `named` relative to that folder, `real` absolute.
 */
export const namesPrograms = async ({ named, real }: { named: string; real: string }): Promise<boolean> => {
  const names = named.split(sep).map(folded)
  if (names.some((name) => folders.has(name) || name.endsWith(".git")) || files.has(names.at(-1) ?? "")) return true
  return isInGitFolder(real, names.length)
}

/**
 * The name as the least exact disk compares it. Some disks ignore case, also between letters such as `ſ` and `s`, and some ignore
 * invisible characters. Windows ends a name before a colon, and ignores dots and spaces at its end.
 */
const folded = (name: string): string =>
  name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/(?<![. ])[. ]+$/, "")

/** A repository without a worktree can have any name. Git recognises it by this file and reads the settings beside it. */
const isInGitFolder = async (real: string, depth: number): Promise<boolean> => {
  if (folded(basename(real)) === "head") return true
  let folder = dirname(real)
  for (let level = 0; level < depth; level += 1) {
    if (await isThere(join(folder, "HEAD"))) return true
    folder = dirname(folder)
  }
  return false
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const folders: ReadonlySet<string> = new Set([
  ...[".git", "git~1", ".headway", ".husky", ".githooks", ".devcontainer", ".ssh", ".config", ".local"],
  // Servers run what is there with the repository's secrets, and Copilot reads its servers and hooks from the first.
  ...[".github", ".gitea", ".forgejo", ".woodpecker", ".circleci", ".buildkite"],
  ...[".hg", ".jj", ".cargo", ".mise", ".yarn"],
  ...[".vscode", ".idea", ".zed", ".cursor", ".windsurf", ".fleet", ".vim", ".emacs.d"],
  ...[
    ".claude",
    ".codex",
    ".gemini",
    ".qwen",
    ".opencode",
    ".kilo",
    ".kilocode",
    ".copilot",
    ".cline",
    ".clinerules",
    ".continue",
    ".kimi",
    ".kimi-code",
    ".grok",
    ".omp",
    ".pi",
    ".agents",
    ".roo",
    ".kiro",
    ".factory",
  ],
])

const files: ReadonlySet<string> = new Set([
  ...[".gitconfig", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".mcp.json"],
  ...[
    "opencode.json",
    "opencode.jsonc",
    "kilo.json",
    "kilo.jsonc",
    ".claude.json",
    "mise.toml",
    ".mise.toml",
    "mise.local.toml",
    ".mise.local.toml",
    ".pre-commit-config.yaml",
    ...["lefthook", ".lefthook", "lefthook-local", ".lefthook-local"].flatMap((name) =>
      ["yml", "yaml", "toml", "json"].map((ending) => `${name}.${ending}`),
    ),
    ".gdbinit",
    ".lldbinit",
    ".pdbrc",
    ".irbrc",
    ".pryrc",
    ".rprofile",
    ".psqlrc",
    ".sqliterc",
    ".devcontainer.json",
    ".aider.conf.yml",
    "crush.json",
    ".crush.json",
    ...[".gitlab-ci.yml", ".travis.yml", ".drone.yml", ".woodpecker.yml", ".woodpecker.yaml"],
    ...["azure-pipelines.yml", "bitbucket-pipelines.yml", "jenkinsfile"],
    ".dir-locals.el",
    ".tmux.conf",
    ".vimrc",
    ".nvimrc",
    ".exrc",
    ".nvim.lua",
  ],
  ...[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".kshrc",
    ".mkshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".logout",
    ".xprofile",
    ".xinitrc",
    ".xsession",
    ".xsessionrc",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".screenrc",
    ".inputrc",
  ],
])
