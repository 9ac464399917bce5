/** What must hold for the configuration of every agent that can be connected, whatever stood there before. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { applyPatch, parsePatch } from "diff"
import { parse as parseToml } from "smol-toml"
import { describe, expect, test } from "vitest"
import { parse as parseYaml } from "yaml"
import { valueAt } from "../../src/bridges/config/edit.ts"
import { type Agent, type Scope, type Setting, scopes, type Where } from "../../src/bridges/setup/agent-settings.ts"
import { script } from "../bridges/launched.ts"
import { headwayOnPath, ownBin } from "../bridges/on-path.ts"
import { type CliResult, runCli } from "../cli/run-cli.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"

const fixtures = fileURLToPath(new URL("../fixtures/configs/", import.meta.url))

type Json = Record<string, unknown>

/** Another parser than the one that is tested: comments and trailing commas taken out, the rest is plain JSON. */
export const parseLoosely = (path: string): Json => {
  const text = readFileSync(path, "utf8").replace(/^\ufeff/, "")
  if (path.endsWith(".toml")) return parseToml(text)
  if (path.endsWith(".yaml")) return parseYaml(text) as Json
  const strings = String.raw`"(?:\\.|[^"\\])*"`
  const plain = text
    .replace(new RegExp(`(${strings})|//[^\n]*|/\\*[\\s\\S]*?\\*/`, "g"), (_, kept?: string) => kept ?? "")
    .replace(new RegExp(`(${strings})|,(?=\\s*[}\\]])`, "g"), (_, kept?: string) => kept ?? "")
  return JSON.parse(plain) as Json
}

/** A person's machine with this agent's configuration on it, as it is in real life. */
export const machineOf = (agent: Agent, scope: Scope = "user") => {
  const home = temporaryFolder()
  const project = join(home, "shop")
  mkdirSync(join(project, ".git"), { recursive: true })
  const where: Where = { env: {}, home, project }
  // What others share must be called by its name.
  const env: Record<string, string> = scope === "project" ? { PATH: headwayOnPath(join(home, "bin")) } : {}
  const run = (words: readonly string[] = []): Promise<CliResult> =>
    runCli(["setup", agent.id, "--scope", scope, ...words], { home, cwd: project, env })
  return { home, project, where, run }
}

const launcherIn: Record<Scope, string[]> = { user: [process.execPath, ownBin], project: ["headway"] }
const quickIn: Record<Scope, string[]> = { user: [script, ...launcherIn.user], project: launcherIn.project }

const settingsOf = (agent: Agent, where: Where, scope: Scope): Setting[] => [
  ...agent.server({ words: [...launcherIn[scope], "mcp"], isTrusted: true }, where, scope),
  ...(agent.hooks?.([...quickIn[scope], "hook", agent.id].join(" "), where, scope) ?? []),
]

const allFilesOf = (agent: Agent, where: Where, scope: Scope): string[] => [
  ...new Set(settingsOf(agent, where, scope).map(({ file }) => file.path)),
]

/** Those that others write in too. */
const filesOf = (agent: Agent, where: Where, scope: Scope): string[] =>
  allFilesOf(agent, where, scope).filter((path) => !path.endsWith(".js"))

/** The files of the fixture, put where this scope has them. */
const furnished = (agent: Agent, scope: Scope = "user") => {
  const machine = machineOf(agent, scope)
  cpSync(join(fixtures, agent.id), machine.home, { recursive: true })
  const own = filesOf(agent, machine.where, "user")
  const files = filesOf(agent, machine.where, scope)
  if (scope === "project") {
    for (const [index, path] of files.entries()) {
      mkdirSync(dirname(path), { recursive: true })
      cpSync(own[index] ?? "", path)
    }
  }
  return { ...machine, files }
}

/** Everything but the program, and the notes and backups that are ours to keep. */
const agentsFiles = (home: string): Record<string, string> => {
  const others = [join(home, ".headway"), join(home, "bin")]
  return Object.fromEntries(
    Object.entries(contentsUnder(home)).filter(([path]) => !others.some((folder) => path.startsWith(folder))),
  )
}

/** That each of our settings stands in its file, read by another parser. */
const expectSettings = (settings: readonly Setting[]): void => {
  for (const setting of settings) {
    const { kind, file, path, value } = setting
    if (kind === "program") {
      expect(readFileSync(file.path, "utf8")).toBe(value)
      continue
    }
    const there = valueAt(parseLoosely(file.path), path)
    if (kind === "hook" || kind === "listed" || isInList(setting)) expect(there).toContainEqual(value)
    else expect(there).toEqual(value)
  }
}

const isInList = (setting: Setting): boolean => setting.kind === "server" && setting.nameKey !== undefined

/** Ways to write the same file. */
const disguises: Record<string, (text: string) => string> = {
  "lines that end as on Windows": (text) => text.replaceAll("\n", "\r\n"),
  "a byte order mark": (text) => `\ufeff${text}`,
  "no newline at the end": (text) => text.trimEnd(),
}

export const describeAgentConfig = (agent: Agent): void => {
  describe.each(scopes.filter((scope) => scope === "user" || !agent.hasNoProjectFile))(
    `${agent.id}, scope %s`,
    (scope) => {
      test.runIf(agent.needsItsOwnFile)("without configuration nothing is made, for a named reason", async () => {
        const { home, run } = machineOf(agent, scope)
        const { code, err } = await run()
        expect([code, err]).toEqual([1, expect.stringMatching(/There is no .*Create it first/)])
        expect(agentsFiles(home)).toEqual({})
      })

      test.skipIf(agent.needsItsOwnFile)(
        "without configuration its files are made, and --undo leaves nothing behind",
        async () => {
          const { home, where, run } = machineOf(agent, scope)
          expect((await run()).code).toBe(0)
          expectSettings(settingsOf(agent, where, scope))
          const { code, err } = await run(["--undo"])
          expect([code, err]).toEqual([0, expect.stringContaining("Removed")])
          expect(agentsFiles(home)).toEqual({})
          expect(existsSync(join(home, ".headway", "setup.json"))).toBe(false)
          expect(agent.homes(where).filter((path) => existsSync(path))).toEqual([])
        },
      )

      test("values of others stay, one by one", async () => {
        const { where, run, files } = furnished(agent, scope)
        const before = files.map(parseLoosely)
        expect((await run()).code).toBe(0)
        expectSettings(settingsOf(agent, where, scope))
        for (const [index, path] of files.entries())
          expect(parseLoosely(path)).toMatchObject(withoutLists(before[index]))
      })

      test("a second run finds it done and changes nothing", async () => {
        const { home, run } = furnished(agent, scope)
        await run()
        const once = contentsUnder(home)
        const { code, out, err } = await run()
        expect([code, out, err]).toEqual([0, "", expect.stringContaining("already set up")])
        expect(contentsUnder(home)).toEqual(once)
      })

      test("--undo puts every byte back", async () => {
        const { home, run, files } = furnished(agent, scope)
        for (const path of files) chmodSync(path, 0o640)
        const before = agentsFiles(home)
        await run()
        expect(agentsFiles(home)).not.toEqual(before)
        const { code, err } = await run(["--undo"])
        expect([code, err]).toEqual([0, expect.stringContaining("as it was before")])
        expect(agentsFiles(home)).toEqual(before)
        expect(files.map((path) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o640))
      })

      test.each(Object.entries(disguises))("%s survives, and --undo puts every byte back", async (_, disguise) => {
        const { home, where, run, files } = furnished(agent, scope)
        for (const path of files) writeFileSync(path, disguise(readFileSync(path, "utf8")))
        const before = agentsFiles(home)
        expect((await run()).code).toBe(0)
        expectSettings(settingsOf(agent, where, scope))
        for (const path of files) {
          const [old = "", now] = [before[path], readFileSync(path, "latin1")]
          expect(now.slice(0, 3)).toBe(old.slice(0, 3))
          expect(/(?<!\r)\n/.test(now)).toBe(/(?<!\r)\n/.test(old))
        }
        await run(["--undo"])
        expect(agentsFiles(home)).toEqual(before)
      })

      test("a link stays a link, and what it leads to is changed", async () => {
        const { home, project, where, run, files } = furnished(agent, scope)
        const dotfiles = join(scope === "project" ? project : home, "dotfiles")
        mkdirSync(dotfiles)
        for (const [index, path] of files.entries()) {
          const target = join(dotfiles, `${index}-${basename(path)}`)
          renameSync(path, target)
          symlinkSync(target, path)
        }
        expect((await run()).code).toBe(0)
        expectSettings(settingsOf(agent, where, scope))
        expect(files.map((path) => dirname(realpathSync(path)))).toEqual(files.map(() => dotfiles))
      })

      test("--undo after a person's edits removes only what is ours, and reports that", async () => {
        const { run, files } = furnished(agent, scope)
        const before = files.map(parseLoosely)
        await run()
        for (const path of files) writeFileSync(path, personsEdit(path))
        const { code, err } = await run(["--undo"])
        expect([code, err]).toEqual([0, expect.stringContaining("changed since then")])
        const after = files.map(parseLoosely)
        expect(after).toEqual(before.map((value) => ({ ...value, "my own": true })))
        expect(files.map((path) => readFileSync(path, "utf8")).join("")).not.toContain(`hook ${agent.id}`)
        expect((await run(["--undo"])).err).toContain("nothing from Headway")
      })

      test("a read-only file is refused by name, and no other file is changed", async () => {
        const { home, run, files } = furnished(agent, scope)
        chmodSync(files.at(-1) ?? "", 0o444)
        const before = contentsUnder(home)
        const { code, err } = await run()
        expect([code, err]).toEqual([1, expect.stringMatching(/read-only.*Nothing was changed/s)])
        expect(err).toContain(files.at(-1))
        expect(contentsUnder(home)).toEqual(before)
      })

      test("an invalid file is refused with line and column, and no other file is changed", async () => {
        const { home, run, files } = furnished(agent, scope)
        const [path = ""] = files.slice(-1)
        writeFileSync(path, `${readFileSync(path, "utf8")}\n"loose" = = [end`)
        const before = contentsUnder(home)
        const { code, err } = await run()
        expect([code, err]).toEqual([
          1,
          expect.stringMatching(/not valid .*line \d+, column \d+.*Nothing was changed/s),
        ])
        expect(contentsUnder(home)).toEqual(before)
      })

      test("--dry-run changes nothing, and its diff is the change that would be made", async () => {
        const { home, where, run } = furnished(agent, scope)
        const before = contentsUnder(home)
        const { code, out, err } = await run(["--dry-run"])
        expect([code, err]).toEqual([0, expect.stringContaining("Nothing was changed")])
        expect(contentsUnder(home)).toEqual(before)
        const patches = parsePatch(out)
        const meant = patches.map((patch) => applyPatch(maskedText(patch.oldFileName ?? ""), patch))
        await run()
        const changed = allFilesOf(agent, where, scope).filter((path) => readFileSync(path, "latin1") !== before[path])
        expect(patches.map(({ newFileName }) => newFileName)).toEqual(changed)
        expect(meant).toEqual(changed.map(maskedText))
      })

      test("a part that is no longer wanted is removed, the others stay", async () => {
        const { run, where } = furnished(agent, scope)
        await run()
        expect((await run(["--no-mcp"])).code).toBe(0)
        const server = settingsOf(agent, where, scope).filter(({ kind }) => kind === "server")
        for (const setting of server) {
          const there = valueAt(parseLoosely(setting.file.path), setting.path)
          if (isInList(setting)) expect(there).not.toContainEqual(setting.value)
          else expect(there).toBeUndefined()
        }
        expectSettings(settingsOf(agent, where, scope).filter(({ kind }) => kind === "hook" || kind === "program"))
      })

      test.skipIf(!agent.native.on)(
        "its own list is switched on, then off, and --undo puts every byte back",
        async () => {
          const { home, run, where } = furnished(agent, scope)
          const before = agentsFiles(home)
          await run(["--native", "on"])
          expectSettings(agent.native.on?.(where, scope) ?? [])
          await run(["--native", "off"])
          expectSettings(agent.native.off?.(where, scope) ?? [])
          await run(["--undo"])
          expect(agentsFiles(home)).toEqual(before)
        },
      )
    },
  )
}

/** Lists grow, so only what is not in one can be compared as it stands. */
const withoutLists = (value: unknown): Json =>
  Object.fromEntries(
    Object.entries(value as Json)
      .filter(([, one]) => !Array.isArray(one))
      .map(([key, one]) => [key, typeof one === "object" && one !== null ? withoutLists(one) : one]),
  )

const personsEdit = (path: string): string => {
  const text = readFileSync(path, "utf8")
  if (path.endsWith(".yaml")) return `"my own": true\n${text}`
  return path.endsWith(".toml") ? `"my own" = true\n${text}` : text.replace("{", '{ "my own": true,')
}

/** As a diff shows it: without what sounds secret. */
const maskedText = (path: string): string =>
  (path === "/dev/null" ? "" : readFileSync(path, "utf8")).replace(
    /("(?:Authorization|API_KEY|apiKey|INVENTORY_TOKEN)"\s*[:=]\s*)"[^"]*"/g,
    '$1"***"',
  )
