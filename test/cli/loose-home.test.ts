/** A home that other users can enter: what they can write in it does not count as the person's. */
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const begun = async () => {
  const { home, run } = atHome({ env: { PATH: process.env.PATH ?? "" } })
  const cwd = join(home, "shop")
  mkdirSync(join(cwd, ".headway"), { recursive: true })
  await run(["write", "--new", "--session", "s"], {
    cwd,
    input: JSON.stringify({ todos: [{ content: "Build", status: "pending" }] }),
  })
  await run(["check", "set", "true"], { cwd })
  const own = join(home, ".headway")
  const allowed = join(own, "allowed-checks.json")
  /** As another user who can write to the file would. */
  const allow = (command: string): void => {
    const list = JSON.parse(readFileSync(allowed, "utf8"))
    writeFileSync(allowed, JSON.stringify({ ...list, allowed: [...list.allowed, { ...list.allowed[0], command }] }))
    writeFileSync(join(cwd, ".headway", "checks.json"), JSON.stringify({ plan: [command] }))
  }
  return { cwd, own, allowed, allow, check: () => run(["check"], { cwd }) }
}

test("a home that is a file is named as such", async () => {
  const { home, run } = atHome()
  const file = join(home, "notes")
  writeFileSync(file, "", { mode: 0o600 })
  expect(await run(["list", "--home", file])).toEqual({
    code: 1,
    out: "",
    err: expect.stringContaining(`${file} is a file, and Headway needs a folder there. To keep its files elsewhere`),
  })
})

describe("a home that others can enter", () => {
  test("runs no command from a list that others can write to", async () => {
    const { cwd, own, allowed, allow, check } = await begun()
    chmodSync(own, 0o755)
    chmodSync(allowed, 0o666)
    allow("touch ran")
    const { code, err } = await check()
    expect({ code, ran: existsSync(join(cwd, "ran")) }).toEqual({ code: 1, ran: false })
    expect(err).toContain(`Other users may write to ${allowed} (make it private with "chmod -R go-w")`)
    chmodSync(allowed, 0o600)
    expect((await check()).code).toBe(0)
  })

  test("is not used with a folder or a plan in it that others can write to, behind a link or not", async () => {
    const { own, check } = await begun()
    chmodSync(own, 0o755)
    mkdirSync(join(own, "devices"))
    chmodSync(join(own, "devices"), 0o777)
    expect((await check()).err).toContain(`Other users may write to ${join(own, "devices")} `)
    chmodSync(join(own, "devices"), 0o700)
    const journal = join(own, "journal", "s-agent-main.jsonl")
    chmodSync(join(own, "journal"), 0o755)
    chmodSync(journal, 0o666)
    expect((await check()).err).toContain(`Other users may write to ${journal} `)
    chmodSync(journal, 0o600)
    const settings = join(own, "..", "settings-elsewhere.json")
    writeFileSync(settings, "{}")
    chmodSync(settings, 0o666)
    symlinkSync(settings, join(own, "settings.json"))
    expect((await check()).err).toContain(`Other users may write to ${join(own, "settings.json")} `)
    chmodSync(settings, 0o600)
    expect((await check()).code).toBe(0)
  })

  test.skipIf(process.geteuid?.() !== 0)("is not used with a file of another user in it", async () => {
    const { own, allowed, check } = await begun()
    chmodSync(own, 0o755)
    chownSync(allowed, 61_002, 61_002)
    expect((await check()).err).toContain(`${allowed} belongs to another user, so Headway does not use ${own}.`)
  })
})

test("what is in a home that others cannot enter may have any mode", async () => {
  const { own, allowed, check } = await begun()
  chmodSync(own, 0o700)
  chmodSync(allowed, 0o666)
  expect((await check()).code).toBe(0)
})
