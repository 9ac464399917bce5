/** The page as a person sees it: every view in a real browser, live, without a connection, with hostile words, and by axe. */

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { focused, type OpenedPage, openBrowser, openPage, type PageLook } from "./browser.ts"
import { type ServedPage, servePage } from "./served-page.ts"
import { stageDay } from "./staged-day.ts"
import { createStage } from "./staged-home.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const home = temporaryFolder()
const stage = createStage(home)
/** For tests with much to do, on a machine that is busy. */
const long = 240_000

let day: ReturnType<typeof stageDay>
let browser: Browser
let served: ServedPage
let page: OpenedPage

beforeAll(async () => {
  day = stageDay(stage)
  served = await servePage(home)
  browser = await openBrowser()
  page = await openPage(browser, served.address)
})

afterAll(async () => {
  day?.end()
  await browser?.close()
  await served?.stop()
})

/** Opens the page and hands it over; the browser must not have complained when it is closed. */
const withPage = async (look: PageLook, use: (one: OpenedPage) => Promise<void>): Promise<void> => {
  const one = await openPage(browser, served.address, look)
  await one.getByRole("heading", { name: "Waiting for you" }).waitFor()
  await use(one)
  expect(one.complaints).toEqual([])
  await one.context().close()
}

const goTo = async (one: OpenedPage, path: string, heading: string): Promise<void> => {
  await one.goto(served.origin + path)
  await one.getByRole("heading", { name: heading }).first().waitFor()
}

const column = (name: string, one = page) => one.getByRole("region", { name })

describe("Now", () => {
  test("sessions are in columns by state", async () => {
    await column("Waiting for you").getByText("Move the checkout").waitFor()
    await column("Working").getByText("Make the price engine deterministic").waitFor()
    await column("Stalled or failed").getByText("API Error: 529").waitFor()
    await column("Done today").getByText("Add retry with jitter").waitFor()
    await expect.poll(() => column("Waiting for you").getByRole("article").count()).toBe(2)
  })

  test("a session that ended with work left is not among those done today", async () => {
    stage.codex({
      id: "01a1e08b-8b66-7c81-9dcf-24706e85f0aa",
      project: "mailer",
      prompt: "Left in the middle",
      lists: [[2 * 3_600, ["✓ Write the parser", "Write its tests"]]],
    })
    await column("Idle or ended today").getByText("Left in the middle").waitFor()
    await expect.poll(() => column("Done today").getByRole("article").count()).toBe(1)
  })

  test("a card shows the whole question, and leads back into its agent", async () => {
    const card = page.getByRole("article").filter({ hasText: "Translate the install guide" })
    await card.getByText("Should the Austrian price table stay in German only?").waitFor()
    await card.getByRole("button", { name: "Open in Claude Code" }).click()
    await page.getByRole("status").getByText("Copy the command to a terminal").waitFor()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await card.getByRole("button", { name: "Copy command" }).click()
    await page.getByRole("status").getByText("Copied").waitFor()
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toContain("claude --resume 6b2d8f4f")
  })

  test("the copied command is one command, whatever the name of the folder", async () => {
    stage.claude({ id: "9f0c1d2e-0000-4000-8000-000000000001", project: "a b; touch owned #", prompt: "Odd folder" })
    await page.getByRole("link", { name: "Odd folder" }).click()
    await page.getByRole("button", { name: "Copy command" }).click()
    await page.getByRole("status").getByText("owned").waitFor()
    const copied = `cd '${home}/code/a b; touch owned #' && claude --resume 9f0c1d2e-0000-4000-8000-000000000001`
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(copied)
    await page.goto(served.origin)
  })

  test("the title of the tab has the number of waiting sessions", async () => {
    await expect.poll(() => page.title()).toBe("(2) Headway")
    await expect.poll(() => page.locator("link[rel=icon]").getAttribute("href")).toMatch(/^data:image\/svg/)
  })

  test("A unfolds older sessions", async () => {
    await page.getByRole("button", { name: /older/ }).click()
    await page.getByText("Write the release notes").waitFor()
    await page.keyboard.press("A")
    await page.getByText("Write the release notes").waitFor({ state: "detached" })
  })

  test("an agent's new lines are on the page without a reload", async () => {
    stage.says(day.ci, [
      "✓ List every workflow",
      "✓ Drop 18 from the matrix",
      "▶ Written while you look",
      "Tell the teams",
    ])
    await column("Working").getByText("Written while you look").waitFor()
    await served.write("nightly", { todos: [{ content: "From another process", status: "in_progress" }] })
    await column("Working").getByText("From another process").waitFor()
  })

  test("w goes to the next waiting session, and / searches", async () => {
    await page.keyboard.press("w")
    await focused(page, '[data-state="waiting"]').waitFor()
    await page.keyboard.press("l")
    await focused(page, '[data-pane="working"] a').waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("install guide")
    await page.getByText("1 session", { exact: true }).waitFor()
    await page
      .locator("mark", { hasText: /install|guide/i })
      .first()
      .waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Translate the install guide" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: "Search" }).waitFor()
  })
})

test("a session shows its sub-agents' plans, its times and its question", async () => {
  await goTo(page, "/", "Waiting for you")
  await page.getByRole("link", { name: "Move the checkout to the new payment API" }).click()
  await page.getByRole("region", { name: "Plan" }).getByText("Report what must change").waitFor()
  await page.getByText("Document the new payment flow").first().waitFor()
  await page.locator(".timeline .bar").first().waitFor()
  for (const words of ["Needs your permission", "3 of 7 · 39m", "19m", "does not see your changes"])
    await page.getByRole("main").getByText(words).first().waitFor()
  await page.getByText("headway setup claude").waitFor()
  await expect.poll(() => page.locator(".timeline .bar").count()).toBe(4)
  await expect.poll(() => page.title()).toContain("3/7 Move the checkout")
})

test("a completed todo whose last check failed stands out in its plan and on its card, with the reason where it is selected", async () => {
  await goTo(page, "/", "Waiting for you")
  const card = page.getByRole("article").filter({ hasText: "Move the checkout to the new payment API" })
  await card.getByText("1 todo is marked done, but the last check failed").waitFor()
  await card.getByRole("link", { name: "Move the checkout" }).click()
  const plan = page.getByRole("region", { name: "Plan" })
  const todo = plan.getByRole("listitem").filter({ hasText: "Move the checkout over to the adapter" }).first()
  await todo.getByText("done?, contradicted").first().waitFor()
  const marks = plan.locator(".todo > .mark")
  await expect
    .poll(async () => (await marks.allTextContents()).slice(0, 3))
    .toEqual(["·done, nothing seen", "+done and backed", "!done?, contradicted"])
  await todo.click()
  await todo.getByText('"npm test 2>&1 | tail -5" failed after the last edit').waitFor()
  const backed = plan.getByRole("listitem").filter({ hasText: "Write an adapter" }).first()
  await backed.click()
  expect(await backed.getByText("passed after the last edit").isVisible()).toBe(false)
  await backed.locator("summary").click()
  await backed.getByText("passed after the last edit").waitFor()
  await page.keyboard.press("?")
  await page.getByRole("dialog").getByText("None of these proves that the work is right.").waitFor()
  await page.keyboard.press("Escape")
})

test("projects have their sessions under them", async () => {
  await goTo(page, "/projects", "Projects")
  const api = page.getByRole("region", { name: /code\/api$/ })
  await expect.poll(() => api.getByRole("article").count()).toBe(2)
})

describe("without a connection", () => {
  test("the last view stays with its time, and continues by itself", async () => {
    await withPage({}, async (one) => {
      await served.stop()
      await one.getByRole("alert").getByText("You see the board as it was at").waitFor()
      await one.locator("main.stale").getByText("Translate the install guide").first().waitFor()
      await one.getByRole("button", { name: "Try now" }).click()
      await served.start()
      await one.getByRole("alert").getByText("You see the board as it was at").waitFor({ state: "detached" })
      await served.write("after", { todos: [{ content: "After the restart", status: "in_progress" }] })
      await one.getByText("After the restart").waitFor()
    })
  })

  test("a page whose connection failed right after its first reading says of when it is", async () => {
    await withPage({}, async (one) => {
      await one.route("**/api/events", (route) => route.abort())
      await one.reload()
      await one.getByRole("alert").getByText("You see the board as it was at").waitFor()
    })
  })

  test("what changed while the server was away is on the page when it is back", async () => {
    const todos = [{ content: "Ship it", status: "in_progress" }]
    await served.write("away", { todos })
    // A server that has just begun counts as the next one will.
    await served.stop()
    await served.start()
    await withPage({}, async (one) => {
      await one.getByRole("link", { name: "away", exact: true }).click()
      await one.getByRole("region", { name: "Plan" }).getByText("Ship it").waitFor()
      await served.stop()
      await served.write("away", { replace: true, todos: [{ content: "Ship it", status: "completed" }] })
      await served.start()
      await one.locator(".meta").getByText("Finished").waitFor()
      await one.getByText("1 of 1").first().waitFor()
    })
  })

  test("a browser without the cookie shows what to do", async () => {
    const stranger = await openPage(browser, `${served.origin}/`)
    await stranger.getByRole("heading", { name: "Headway does not know this browser" }).waitFor()
    await stranger.context().close()
  })
})

describe("hostile and very long texts", () => {
  const words = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script> \u202eevil \u001b[31mred 👩‍👩‍👧 שלום`

  test("are only ever text, in every field", async () => {
    const todo = { content: words, status: "blocked", reason: words, waitsFor: words, phase: words, notes: [words] }
    await served.write("hostile", { todos: [todo, { content: "x".repeat(10_000) }] })
    await withPage({ width: 320 }, async (one) => {
      await one.getByRole("link", { name: "hostile", exact: true }).click()
      await one.getByText("<script>").first().waitFor()
      expect(await one.title()).not.toContain("owned")
      expect(await one.locator("main img, main script").count()).toBe(0)
      expect(await one.locator("main").innerText()).not.toMatch(/[\u202e\u001b]/)
      expect(await one.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320)
    })
  })

  test("of a plan with 5,000 todos can be scrolled and changed, and only a part is in the document", async () => {
    const todos = Array.from({ length: 5_000 }, (_, index) => ({ content: `Step ${index + 1}` }))
    await served.write("long", { replace: true, todos })
    await withPage({}, async (one) => {
      await one.getByRole("link", { name: "long", exact: true }).click()
      await one.getByText("Step 1", { exact: true }).waitFor()
      expect(await one.locator("[data-todo]").count()).toBeLessThan(400)
      await one.keyboard.press("G")
      await one.locator("[data-todo]:focus", { hasText: "Step 5000" }).waitFor()
      await one.keyboard.press("Space")
      await one.getByRole("status").getByText('You finished "Step 5000"').waitFor()
    })
  })
})

test("500 sessions with very long todos are one board that can be searched, and only a part of it is drawn", {
  timeout: long,
}, async () => {
  const crowded = createStage(temporaryFolder())
  const words = "A very long step. ".repeat(560)
  for (let index = 0; index < 500; index += 1) {
    crowded.claude({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      project: `project-${index % 40}`,
      prompt: `Task number ${index}`,
      lists: [[60 + index, [`▶ ${index % 50 === 0 ? words : "A short step"}`, "Another"]]],
    })
  }
  const many = await servePage(crowded.home)
  try {
    const one = await openPage(browser, many.address)
    await one.getByText("Task number 0", { exact: true }).waitFor({ timeout: long / 2 })
    expect(await one.locator("article").count()).toBeLessThan(300)
    expect(await one.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0)
    const counts = (): Promise<string[]> => one.locator(".column h2 .count").allInnerTexts()
    await expect.poll(async () => (await counts()).reduce((sum, count) => sum + Number(count), 0)).toBe(500)
    await one.keyboard.press("/")
    await one.keyboard.type("number 450")
    await one.getByRole("link", { name: "Task number 450" }).first().click()
    const todo = one.locator("[data-todo]").first()
    await todo.waitFor()
    await todo.getByRole("checkbox").click()
    const toast = await one.locator(".toast", { hasText: 'You finished "A very long' }).innerText()
    expect(toast.length).toBeLessThan(300)
    expect(one.complaints).toEqual([])
    await one.context().close()
  } finally {
    await many.stop()
  }
})

test("a phone is paired by scanning an address, is listed, and is locked out at once when it is revoked", async () => {
  const reachable = await servePage(temporaryFolder(), ["--host", "127.0.0.2"])
  try {
    const owner = await openPage(browser, reachable.address)
    const phone = await openPage(browser, reachable.printed.invite?.address ?? "", { isPhone: true })
    await phone.getByRole("button").click()
    await phone.getByRole("heading", { name: "No sessions yet" }).waitFor()
    await reachable.write("nightly", { todos: [{ content: "Seen on the phone", status: "in_progress" }] })
    await phone.getByText("Seen on the phone").waitFor()
    await owner.getByRole("link", { name: "Devices" }).first().click()
    await owner.getByRole("button", { name: /^Revoke/ }).click()
    await owner.getByRole("status").getByText("can no longer see the board").waitFor()
    await reachable.write("nightly", { todos: [{ content: "Not for the phone" }] })
    await phone.getByRole("heading", { name: "Headway does not know this browser" }).waitFor()
    await owner.context().close()
    await phone.context().close()
  } finally {
    await reachable.stop()
  }
})

describe.each([
  ["light, wide", { isDark: false }],
  ["dark, on a phone", { isDark: true, isPhone: true }],
] as [string, PageLook][])("%s", (_name, look) => {
  test("axe finds nothing wrong on any view, and the browser's policy nothing to refuse", {
    timeout: long,
  }, async () => {
    await withPage(look, async (one) => {
      const violations: string[] = []
      const check = async (view: string): Promise<void> => {
        if (await one.evaluate("typeof axe === 'undefined'")) await one.evaluate(axe)
        // It would describe whatever is right, too.
        const { violations: found } = (await one.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
          violations: { id: string; nodes: { html: string; any: { message: string }[] }[] }[]
        }
        for (const { id, nodes } of found)
          violations.push(`${view}: ${id} ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.any[0]?.message ?? ""}`)
      }
      await check("now")
      await one.keyboard.press("?")
      await one.getByRole("dialog", { name: "Keys" }).waitFor()
      await check("keys")
      await one.keyboard.press("Escape")
      await one.context().setOffline(true)
      await one.getByRole("alert").getByText("You see the board as it was at").waitFor()
      await check("offline")
      await one.context().setOffline(false)
      await one.getByRole("alert").getByText("You see the board as it was at").waitFor({ state: "detached" })
      await one.getByRole("link", { name: "Move the checkout to the new payment API" }).click()
      await one.getByText("Report what must change").waitFor()
      await one.getByText("Document the new payment flow").first().click()
      await check("session")
      await one.keyboard.press("n")
      await one.getByRole("dialog").waitFor()
      await check("prompt")
      await one.keyboard.press("Escape")
      for (const [path, heading] of [
        ["/projects", "Projects"],
        ["/search?q=guide", "Search"],
        ["/devices", "Devices"],
      ] as const) {
        await goTo(one, path, heading)
        if (heading === "Search") await one.locator("mark").first().waitFor()
        if (heading === "Devices") await one.getByText("headway serve --lan").waitFor()
        await check(path)
      }
      expect(violations).toEqual([])
    })
  })

  test("nothing is wider than the screen, and on a phone everything is large enough for a thumb", async () => {
    await withPage(look, async (one) => {
      expect(await one.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0)
      if (!look.isPhone) return
      const small = await one.evaluate(
        "[...document.querySelectorAll('button, nav a')].filter((one) => one.checkVisibility() && one.offsetHeight < 44).map((one) => one.innerText)",
      )
      expect(small).toEqual([])
    })
  })
})

test("the page is small", async () => {
  let bytes = 0
  for (const [path] of (await (await fetch(served.origin)).text()).matchAll(/\/assets\/[^"]+/g)) {
    const response = await fetch(served.origin + path, { headers: { "accept-encoding": "gzip" } })
    bytes += Number(response.headers.get("content-length") ?? (await response.arrayBuffer()).byteLength)
  }
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(150_000)
})
