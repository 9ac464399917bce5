/**
 * Makes our plugins for the agents whose users install such things, from the same rows as `headway setup`: checks the files in
 * the repository, and with `--write` puts them in.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { loadConnectedAgent } from "../src/agents/index.ts"
import { serverName } from "../src/agents/own-tool-name.ts"
import type { Agent, Where } from "../src/bridges/setup/agent-settings.ts"

const root = new URL("../", import.meta.url)

const read = (path: string): string => readFileSync(new URL(path, root), "utf8")

const { name, version, description, license } = JSON.parse(read("package.json")) as Record<string, string>

/** The files of all plugins, by their paths in the repository. */
export const pluginFiles = async (): Promise<Record<string, string>> => ({
  ...claudeFiles(await loadConnectedAgent("claude-code")),
  ...codexFiles(await loadConnectedAgent("openai-codex")),
  ...geminiFiles(await loadConnectedAgent("google-gemini")),
  ...qwenFiles(await loadConnectedAgent("qwen-code")),
  ...opencodeFiles(),
})

/** The files in the repository that say something else. */
export const stalePlugins = async (): Promise<Record<string, string>> => {
  const files = Object.entries(await pluginFiles())
  return Object.fromEntries(files.filter(([path, text]) => !isThere(path, text)))
}

/** The formatter has its own mind about JSON. */
const isThere = (path: string, text: string): boolean => {
  if (!existsSync(new URL(path, root))) return false
  const there = read(path)
  return path.endsWith(".json") ? isDeepStrictEqual(JSON.parse(there), JSON.parse(text)) : there === text
}

/** A plugin is the same everywhere, so that nothing of this machine may get into it. */
const where: Where = { env: {}, home: "/", project: "/project" }

const owner = { name: "Headway" }

const about = { name, version, description }

const serversOf = (agent: Agent): object => {
  const words = [name ?? "", "mcp", "--plugin", agent.id]
  const server = agent.server({ words, isTrusted: false }, where, "user").find(({ kind }) => kind === "server")
  return { [serverName]: server?.value }
}

const hooksOf = (agent: Agent): object => {
  const settings = agent.hooks?.(`${name} hook ${agent.id} --plugin`, where, "user") ?? []
  return Object.fromEntries(settings.map(({ path, value }) => [path.at(-1), [value]]))
}

const claudeFiles = (agent: Agent): Record<string, string> => {
  const folder = "plugins/claude-code"
  const plugin = { ...about, author: owner, license, mcpServers: serversOf(agent) }
  return {
    ".claude-plugin/marketplace.json": json({
      name,
      description,
      owner,
      plugins: [{ name, source: `./${folder}`, description }],
    }),
    [`${folder}/.claude-plugin/plugin.json`]: json(plugin),
    [`${folder}/hooks/hooks.json`]: json({ hooks: hooksOf(agent) }),
    ...Object.fromEntries(
      commands.map(({ id, title, call }) => [
        `${folder}/commands/${id}.md`,
        `---\ndescription: ${title}\nallowed-tools: Bash(${call})\n---\n\n${task(`!\`${call}\``)}\n`,
      ]),
    ),
  }
}

const codexFiles = (agent: Agent): Record<string, string> => {
  const folder = "plugins/openai-codex"
  const policy = { installation: "AVAILABLE", authentication: "ON_INSTALL" }
  const source = { source: "local", path: `./${folder}` }
  return {
    ".agents/plugins/marketplace.json": json({ name, plugins: [{ name, source, policy, category: "Productivity" }] }),
    [`${folder}/.codex-plugin/plugin.json`]: json({
      ...about,
      license,
      mcpServers: "./.mcp.json",
      hooks: "./hooks/hooks.json",
    }),
    [`${folder}/.mcp.json`]: json({ mcpServers: serversOf(agent) }),
    [`${folder}/hooks/hooks.json`]: json({ hooks: hooksOf(agent) }),
  }
}

/** Gemini CLI wants everything at the root of the repository, and its hooks in a file of their own. */
const geminiFiles = (agent: Agent): Record<string, string> => ({
  "gemini-extension.json": json({ ...about, mcpServers: serversOf(agent) }),
  "hooks/hooks.json": json({ hooks: hooksOf(agent) }),
  ...Object.fromEntries(
    commands.map(({ id, title, call }) => [
      `commands/${name}/${id}.toml`,
      `description = ${JSON.stringify(title)}\nprompt = """\n${task(`!{${call}}`)}\n"""\n`,
    ]),
  ),
})

/** Qwen Code reads the commands of the other manifest too; hooks that stand in its own come before those in the file. */
const qwenFiles = (agent: Agent): Record<string, string> => ({
  "qwen-extension.json": json({ ...about, mcpServers: serversOf(agent), hooks: hooksOf(agent) }),
})

const opencodeFiles = (): Record<string, string> => {
  const path = "plugins/opencode/headway.js"
  const calls = `const calls = { hook: "${name} hook opencode", server: ["${name}", "mcp"] }`
  return {
    [path]: read(path).replace(/^const calls = .*$/m, () => calls),
    "plugins/opencode/package.json": json({
      ...about,
      name: `${name}-opencode`,
      license,
      type: "module",
      exports: { "./server": "./headway.js" },
    }),
  }
}

type SlashCommand = { id: string; title: string; call: string }

const commands: readonly SlashCommand[] = [
  { id: "todos", title: "Show the newest plan of this project, as Headway keeps it", call: "headway show --for-model" },
  { id: "board", title: "Show the plans of all agents in this project", call: "headway list --for-model" },
]

const task = (output: string): string =>
  `Repeat the following to the user exactly as it is, in a code block, and add nothing.\n\n${output}`

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stale = Object.entries(await stalePlugins())
  const isWriting = process.argv.includes("--write")
  for (const [path, text] of stale) {
    console.log(path)
    if (!isWriting) continue
    mkdirSync(dirname(fileURLToPath(new URL(path, root))), { recursive: true })
    writeFileSync(new URL(path, root), text)
  }
  process.exit(stale.length > 0 && !isWriting ? 1 : 0)
}
