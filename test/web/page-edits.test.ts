/** What a person does to a plan on the page, in a real browser, against the real server and store. */
import type { Browser, Locator } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { focused, type OpenedPage, openBrowser, openIn, openPage } from "./browser.ts"
import { type ServedPage, servePage } from "./served-page.ts"

let browser: Browser
let served: ServedPage
let page: OpenedPage
let count = 0
let session = ""

/** What an agent planned, in each session anew. */
const plan = {
  replace: true,
  todos: [
    { content: "Read the code", phase: "Look", status: "completed" },
    { content: "Find the cause", phase: "Look", status: "in_progress" },
    { content: "Fix it", phase: "Change" },
    { content: "Test it", phase: "Change" },
    { content: "Ask for the key", phase: "Change", status: "blocked", reason: "no access", waitsFor: "Ada" },
  ],
}

beforeAll(async () => {
  served = await servePage(temporaryFolder())
  browser = await openBrowser()
  page = await openPage(browser, served.address)
})

afterAll(async () => {
  await browser?.close()
  await served?.stop()
})

beforeEach(async () => {
  count += 1
  session = `session-${count}`
  await served.write(session, plan)
  await openSession(page)
})

afterEach(() => expect(page.complaints.splice(0)).toEqual([]))

const openSession = async (one: OpenedPage): Promise<void> => {
  // What they say of the session before would lie over this one.
  await one.evaluate("for (const close of document.querySelectorAll('.toast .close')) close.click()")
  await one.locator(".toast").first().waitFor({ state: "detached" })
  await one.getByRole("link", { name: "headway", exact: true }).click()
  await one.getByRole("link", { name: session, exact: true }).click()
  await one.getByText("Test it").first().waitFor()
}

const row = (words: string, one = page): Locator => one.locator("[data-todo]", { hasText: words })

const action = (name: string): Locator =>
  page.getByRole("group", { name: "Actions for this todo" }).getByRole("button", { name })

/** The todos as they are shown: their status and words. Poll it: a page may be about to show more. */
const shown = (one = page): Promise<string[]> =>
  one.evaluate(`[...document.querySelectorAll("[data-todo]")].map(
    (todo) => \`\${todo.classList[1]} \${todo.querySelector(".content > [dir]")?.innerText}\`,
  )`)

/** What the store has, as another process reads it. */
const kept = async (): Promise<
  { content: string; status: string; phase?: string; notes?: string[]; reason?: string }[]
> => (JSON.parse(await served.run("show", "--session", session, "--json")) as { todos: never[] }).todos

const toastShows = async (words: string | RegExp, one = page): Promise<void> =>
  one.locator(".toast", { hasText: words }).last().waitFor()

const type = async (words: string): Promise<void> => {
  await page.getByRole("dialog").getByRole("textbox").fill(words)
  await page.keyboard.press("Enter")
}

describe("an edit is at once on the page, then in the store", () => {
  test("a todo is completed, and the toast takes it back", async () => {
    await row("Fix it").getByRole("checkbox").click()
    await expect.poll(() => shown()).toContain("completed Fix it")
    await toastShows('You finished "Fix it"')
    expect((await kept())[2]?.status).toBe("completed")
    await page.getByRole("button", { name: "Undo", exact: true }).last().click()
    await toastShows("Undone")
    await row("Fix it").and(page.locator(".pending")).waitFor()
    expect((await kept())[2]?.status).toBe("pending")
  })

  test("one click completes a todo, also below the selected one, whose buttons disappear", async () => {
    await row("Fix it").click()
    await row("Test it").getByRole("checkbox").click()
    await toastShows('You finished "Test it"')
  })

  test("a todo is reworded in place", async () => {
    await row("Fix it").dblclick()
    await focused(page, "textarea").waitFor()
    await page.keyboard.type(" twice")
    await page.keyboard.press("Enter")
    await expect.poll(() => shown()).toContain("pending Fix it twice")
    await toastShows("Fix it twice")
    expect((await kept())[2]?.content).toBe("Fix it twice")
  })

  test("a todo is added after the selected one, and u takes it back, with the keys of the terminal board", async () => {
    await row("Fix it").click()
    await page.keyboard.press("a")
    await type("Measure it")
    await toastShows('You added "Measure it"')
    const words = ["Read the code", "Find the cause", "Fix it", "Measure it", "Test it", "Ask for the key"]
    expect((await kept()).map(({ content }) => content)).toEqual(words)
    await expect.poll(async () => (await shown()).map((one) => one.replace(/^\w+ /, ""))).toEqual(words)
    await page.keyboard.press("u")
    await toastShows("Undone")
    await row("Measure it").waitFor({ state: "detached" })
    expect((await kept()).map(({ content }) => content)).not.toContain("Measure it")
  })

  test("a long text that is pasted is kept whole, and one that is too long is refused", async () => {
    const paste = async (text: string): Promise<void> => {
      await row("Fix it").click()
      await action("Note").click()
      await page.getByRole("dialog").getByRole("textbox").focus()
      await page.keyboard.insertText(text)
      await page.keyboard.press("Enter")
    }
    const output = "a line of a log ".repeat(1_000).trim()
    await paste(output)
    await toastShows("You ")
    expect((await kept())[2]?.notes).toEqual([output])
    await paste("x".repeat(20_001))
    await toastShows("Not done")
    expect((await kept())[2]?.notes).toEqual([output])
  })

  test("a todo is cancelled and another blocked, each with a reason", async () => {
    await row("Test it").click()
    await action("Drop").click()
    await type("CI does that")
    await toastShows("CI does that")
    await row("Fix it").click()
    await action("Block").click()
    await type("needs a decision")
    await toastShows("needs a decision")
    expect((await kept()).slice(2, 4)).toMatchObject([
      { status: "blocked", reason: "needs a decision" },
      { status: "cancelled", reason: "CI does that" },
    ])
    await row("Fix it").getByText("blocked: needs a decision").waitFor()
  })

  test("a note is added", async () => {
    await row("Find the cause").click()
    await action("Note").click()
    await type("It fails on Mondays only.")
    await toastShows("It fails on Mondays only.")
    await row("Find the cause").getByText("It fails on Mondays only.").waitFor()
    expect((await kept())[1]?.notes).toEqual(["It fails on Mondays only."])
  })

  test("a blocked todo is answered: it has the answer as a note and is no longer blocked", async () => {
    await row("Ask for the key").click()
    await action("Answer").click()
    await type("The key is in the vault.")
    await toastShows("The key is in the vault.")
    expect((await kept())[4]).toMatchObject({ status: "pending", notes: ["The key is in the vault."] })
  })

  test("a todo is moved by keys and keeps the focus", async () => {
    await row("Test it").click()
    await page.keyboard.press("K")
    await toastShows("moved")
    expect((await kept()).map(({ content }) => content).slice(2, 4)).toEqual(["Test it", "Fix it"])
    await focused(page, "[data-todo]").filter({ hasText: "Test it" }).waitFor()
  })

  test("a todo is dragged to another place, also into another phase", async () => {
    await row("Test it").hover()
    const grip = await row("Test it").locator(".grip").boundingBox()
    const target = await row("Read the code").boundingBox()
    if (!grip || !target) throw new Error("nothing to drag")
    await page.mouse.move(grip.x + 5, grip.y + 5)
    await page.mouse.down()
    await page.mouse.move(target.x + 40, target.y + target.height - 3, { steps: 4 })
    await page.mouse.up()
    await toastShows("moved")
    expect((await kept()).map(({ content }) => content)).toEqual([
      "Read the code",
      "Test it",
      "Find the cause",
      "Fix it",
      "Ask for the key",
    ])
  })

  test("a todo dropped at the top of a later phase is there, as when keys move it", async () => {
    const dropAt = async (target: Locator, from: "top" | "bottom"): Promise<void> => {
      await row("Find the cause").hover()
      const grip = await row("Find the cause").locator(".grip").boundingBox()
      const box = await target.boundingBox()
      if (!grip || !box) throw new Error("nothing to drag")
      await page.mouse.move(grip.x + 5, grip.y + 5)
      await page.mouse.down()
      await page.mouse.move(box.x + 40, from === "top" ? box.y + 3 : box.y + box.height - 3, { steps: 4 })
      await page.mouse.up()
      await toastShows('moved "Find the cause" to phase "Change"')
    }
    const placed = async (): Promise<string[]> => (await kept()).map((todo) => `${todo.phase}: ${todo.content}`)
    const there = ["Look: Read the code", "Change: Find the cause", "Change: Fix it", "Change: Test it"]
    await dropAt(row("Fix it"), "top")
    expect((await placed()).slice(0, 4)).toEqual(there)
    await page.keyboard.press("u")
    await toastShows("Undone")
    // The name of the phase is a place too.
    await dropAt(page.locator(".phase", { hasText: "Change" }), "bottom")
    expect((await placed()).slice(0, 4)).toEqual(there)
    await page.keyboard.press("u")
    await toastShows("Undone")
    await row("Find the cause").click()
    await page.keyboard.press("J")
    await toastShows('moved "Find the cause" to phase "Change"')
    expect((await placed()).slice(0, 4)).toEqual(there)
  })

  test("a todo is removed, and an undone edit is redone", async () => {
    await row("Test it").click()
    await page.keyboard.press("x")
    await toastShows("removed")
    await expect.poll(() => shown()).toHaveLength(4)
    await page.keyboard.press("u")
    await toastShows("Undone")
    await row("Test it").waitFor()
    await page.keyboard.press("U")
    await toastShows("Redone")
    await row("Test it").waitFor({ state: "detached" })
    expect(await kept()).toHaveLength(4)
  })

  test("a session is renamed", async () => {
    await page.getByRole("button", { name: "Rename" }).click()
    await type("The race in the cache")
    await page.getByRole("heading", { name: "The race in the cache" }).waitFor()
  })
})

describe("an edit that fails", () => {
  test("is announced and rolled back when another person was first", async () => {
    const other = await openIn(page.context(), served.origin)
    await openSession(other)
    // The first page does not hear of what the second does: its connection is silent.
    await page.route("**/api/sessions/*", (route) => route.abort())
    await row("Fix it", other).dblclick()
    await other.getByRole("textbox", { name: "Reword" }).fill("Repair it")
    await other.keyboard.press("Enter")
    await toastShows("Repair it", other)
    await row("Fix it").dblclick()
    await page.getByRole("textbox", { name: "Reword" }).fill("Mend it")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "Not done: That todo was changed in the meantime" }).waitFor()
    await page.unroute("**/api/sessions/*")
    expect((await kept())[2]?.content).toBe("Repair it")
    await other.close()
  })

  test("is announced when the server cannot be reached", async () => {
    await page.route("**/edits", (route) => route.abort())
    await row("Fix it").getByRole("checkbox").click()
    await page.getByRole("alert").filter({ hasText: "Not done: Headway cannot be reached." }).waitFor()
    await row("Fix it").and(page.locator(".pending")).waitFor()
    await page.unroute("**/edits")
  })
})

test("the history and the messages name todos by their text, and cut very long ones", async () => {
  const long = "very ".repeat(1_500)
  await served.run("todo", "add", long, "--session", session)
  await row("very very").getByRole("checkbox").click()
  const text = await page.locator(".toast", { hasText: 'You finished "very very' }).innerText()
  expect(text.length).toBeLessThan(300)
  await served.run("todo", "block", "Test it", "--waits-for", "Ada", "--session", session)
  const entries = page.getByRole("region", { name: "History" }).getByRole("button")
  await entries.filter({ hasText: 'blocked "Test it": waits for Ada' }).waitFor()
  await page.getByText('finished "very very').first().waitFor()
  for (const text of await entries.allInnerTexts()) expect(text).not.toMatch(/\b\d+ "/)
})

test("two pages agree: a change on one is shown on the other without a reload", async () => {
  const other = await openIn(page.context(), served.origin)
  await openSession(other)
  await row("Fix it").getByRole("checkbox").click()
  await row("Fix it", other).and(other.locator(".completed")).waitFor()
  await served.run("todo", "add", "From the shell", "--session", session)
  await row("From the shell", other).waitFor()
  await row("From the shell").waitFor()
  await expect.poll(async () => [await shown(other), await shown()]).toSatisfy(([one, two]) => `${one}` === `${two}`)
  await other.close()
})

test("a person with only a keyboard reaches a todo, changes it and comes back", async () => {
  await page.getByRole("link", { name: "headway", exact: true }).click()
  await page.getByRole("link", { name: session, exact: true }).waitFor()
  await page.keyboard.press("g")
  await focused(page, "[data-stop]").waitFor()
  while ((await focused(page, "[data-stop]").innerText()) !== session) await page.keyboard.press("j")
  await page.keyboard.press("Enter")
  await row("Test it").waitFor()
  await page.keyboard.press("G")
  await focused(page, "[data-todo]").filter({ hasText: "Ask for the key" }).waitFor()
  await page.keyboard.press("g")
  await page.keyboard.press("j")
  await focused(page, "[data-todo]").filter({ hasText: "Find the cause" }).waitFor()
  await page.keyboard.press("n")
  await page.keyboard.type("By keys")
  await page.keyboard.press("Enter")
  await toastShows("By keys")
  await page.keyboard.press("Space")
  await toastShows('You finished "Find the cause"')
  await page.keyboard.press("?")
  await page.getByRole("dialog", { name: "Keys" }).waitFor()
  expect(await page.getByRole("dialog").innerText()).not.toContain("ctrl")
  await page.keyboard.press("Escape")
  await page.keyboard.press("Escape")
  await page.getByRole("heading", { name: "Waiting for you" }).waitFor()
  await focused(page, "a").getByText(session, { exact: true }).waitFor()
})

describe("replay", () => {
  test("dragging and keys show the earlier plan, and the way back to now", async () => {
    await served.run("todo", "done", "Fix it", "--session", session)
    await row("Fix it").and(page.locator(".completed")).waitFor()
    const slider = page.getByRole("slider", { name: /Replay/ })
    await slider.focus()
    await page.keyboard.press("Home")
    await page.getByText("The plan as it was").waitFor()
    await row("Fix it").and(page.locator(".pending")).waitFor()
    await page.locator("[data-todo] input:disabled").first().waitFor()
    const box = await slider.boundingBox()
    if (!box) throw new Error("no slider")
    await page.mouse.move(box.x + 9, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 })
    await page.mouse.up()
    await page.getByText("The plan as it was").waitFor({ state: "detached" })
    await row("Fix it").and(page.locator(".completed")).waitFor()
  })

  test("an entry of the history leads to its moment", async () => {
    await page.getByRole("region", { name: "History" }).getByRole("button").last().click()
    await page.getByText("The plan as it was").waitFor()
    await page.getByRole("button", { name: "Back to now" }).click()
    await page.getByText("The plan as it was").waitFor({ state: "detached" })
  })
})
