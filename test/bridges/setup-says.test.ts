/** Set-up says what it does: that the hooks can send an agent back, that the agent has two todo tools, and how to change both. */
import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { atHome } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { headwayOnPath } from "./on-path.ts"

const person = () => {
  const home = temporaryFolder()
  return atHome({ home, env: { PATH: headwayOnPath(join(home, "bin")) } })
}

describe("stopping", () => {
  test("N6 is announced before anything is changed: how often an agent is sent back, and how to switch that off", async () => {
    const { err } = await person().run(["setup", "claude-code", "--dry-run"])
    expect(err).toContain("an agent that stops with work left is sent back to it")
    expect(err).toContain(
      "once if the agent itself allows only that, otherwise up to 3 times in a row if it does nothing and up to 20 times",
    )
    expect(err).toContain("(--let-stop: never)")
  })

  test.each(["claude-code", "openai-codex", "google-gemini"])(
    "N6 --let-stop lets %s stop, and the next set-up without it does not",
    async (agent) => {
      const { home, run } = person()
      const hooks = (): string => {
        const files = { "claude-code": ".claude/settings.json", "openai-codex": ".codex/config.toml" }
        const file = agent === "google-gemini" ? ".gemini/settings.json" : files[agent as keyof typeof files]
        return readFileSync(join(home, file), "utf8")
      }
      await run(["setup", agent])
      expect(hooks()).not.toContain("--let-stop")
      const { err } = await run(["setup", agent, "--let-stop"])
      expect(err).toContain("the agent may stop with work left")
      expect(hooks().match(new RegExp(`hook ${agent} --let-stop`, "g"))).toHaveLength(
        hooks().split(`hook ${agent}`).length - 1,
      )
      await run(["setup", agent])
      expect(hooks()).not.toContain("--let-stop")
      expect(hooks()).toContain(`hook ${agent}`)
    },
  )

  test("N6 --let-stop is refused where it has no effect", async () => {
    const { run } = person()
    expect(await run(["setup", "opencode", "--let-stop"])).toMatchObject({ code: 2 })
    expect(await run(["setup", "claude-code", "--let-stop", "--no-hooks"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--let-stop only affects hooks"),
    })
  })
})

describe("two todo tools", () => {
  test.each([
    [
      "claude-code",
      "TaskCreate may be on",
      "--native off leaves only Headway's; --no-mcp leaves only its own, which the hooks record",
    ],
    ["openai-codex", "update_plan may be on", "--native off leaves only Headway's"],
  ])("are reported for %s, with how to keep only one", async (agent, which, how) => {
    const { err } = await person().run(["setup", agent, "--dry-run"])
    expect(err).toContain(which)
    expect(err).toContain("has two todo tools")
    expect(err).toContain(how)
  })

  test("are no longer reported when one of them is off", async () => {
    const { run } = person()
    await run(["setup", "codex", "--native", "off"])
    expect((await run(["setup", "codex", "--dry-run"])).err).toContain("is off, so ours is the only todo tool")
    expect((await run(["setup", "codex", "--no-mcp", "--dry-run"])).err).not.toContain("side by side")
  })
})

test("Codex that is not on the PATH is set up completely, by the version its sessions name", async () => {
  const { home, run } = person()
  cpSync("test/fixtures/streams/codex-0.166.0/plan/home/.codex/sessions", join(home, ".codex/sessions"), {
    recursive: true,
  })
  await run(["setup", "codex"])
  expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toContain("mcp__headway")
  const { agents } = JSON.parse((await run(["doctor", "codex", "--look", "--json"])).out)
  expect(agents[0]).toMatchObject({ version: "0.166.0", parts: { user: { mcp: { state: "connected" } } } })
})
