/** A variable that names a folder relative to the one we are in would let any cloned repository say where we look and write. */
import { mkdirSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { expect, test } from "vitest"
import { connectedAgents, sources } from "../agents/loaded.ts"
import { atHome } from "./run-cli.ts"

/** An environment in which every variable has the same value, except those whose names other programs give a meaning. */
const everything = (value: string): Record<string, string | undefined> =>
  new Proxy({}, { get: (_, name) => (name === "PI_CONFIG_DIR" ? undefined : value) })

test("no agent's sessions are searched in a relative folder", () => {
  for (const source of Object.values(sources))
    expect(source.homes(everything("evil"), "/h")).toEqual(source.homes({}, "/h"))
})

test("no agent's configuration is searched in a relative folder", () => {
  const call = { words: ["/bin/headway", "mcp"], isTrusted: true }
  for (const agent of Object.values(connectedAgents)) {
    const placesIn = (env: Record<string, string | undefined>): string[] => {
      const where = { env, home: "/h", project: "/p" }
      return [...agent.homes(where), ...agent.server(call, where, "user").map(({ file }) => file.path)]
    }
    const places = placesIn(everything("evil"))
    expect(places.filter((path) => !isAbsolute(path))).toEqual([])
    expect(places).toEqual(placesIn({}))
  }
})

test("doctor says which variables are not used", async () => {
  const { run } = atHome({ env: { CODEX_HOME: ".codex", XDG_DATA_HOME: "data", CLAUDE_CONFIG_DIR: "/x", MY_DIR: "y" } })
  const { err } = await run(["doctor", "--look"])
  const unused = [...err.matchAll(/(\w+) is ignored, because it is not an absolute path: (\S+)/g)]
  expect(unused.map(([, name, value]) => `${name}=${value}`)).toEqual(["CODEX_HOME=.codex", "XDG_DATA_HOME=data"])
})

test("a relative home in a variable is refused; a typed one is used", async () => {
  const { home, run } = atHome()
  mkdirSync(join(home, "clone"))
  const here = { cwd: join(home, "clone"), input: '{"todos":[{"content":"A"}]}' }
  for (const words of [["list"], ["write", "--new", "--session", "s"]])
    expect(await run(words, { ...here, env: { HEADWAY_HOME: "kept" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('HEADWAY_HOME must be an absolute path, not "kept"'),
    })
  expect((await run(["write", "--new", "--session", "s", "--home", "kept"], here)).code).toBe(0)
})
