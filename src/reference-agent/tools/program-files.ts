/** Recognises files that name programs which git, an editor, a shell or an agent runs later without asking. */
import { lstat } from "node:fs/promises"
import { basename, dirname, join, sep } from "node:path"

/**
 * Takes a path inside the working folder with every link followed: `named` relative to that folder, `real` absolute.
 */
export const namesPrograms = async ({ named, real }: { named: string; real: string }): Promise<boolean> => {
  // Some disks do not distinguish capital and small letters.
  const names = named.toLowerCase().split(sep)
  if (names.some((name) => folders.has(name) || name.endsWith(".git")) || files.has(names.at(-1) ?? "")) return true
  return isInGitFolder(real, names.length)
}

/**
 * Whether a path is in a git folder. A repository without a worktree may have any name; git recognises it by its file
 * `HEAD`.
 */
const isInGitFolder = async (real: string, depth: number): Promise<boolean> => {
  if (basename(real).toLowerCase() === "head") return true
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
  ...[".git", ".headway", ".husky", ".githooks", ".devcontainer", ".ssh", ".config"],
  // GitHub runs workflows from this folder with the repository's secrets, and Copilot reads its servers and hooks from
  // it.
  ".github",
  ...[".hg", ".jj", ".cargo", ".mise", ".yarn"],
  ...[".vscode", ".idea", ".zed", ".cursor", ".windsurf", ".fleet"],
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
