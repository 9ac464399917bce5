/** Many tabs of one browser: one of them has the connection, all of them are live. */
import type { Browser, BrowserContext } from "playwright-core"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { type OpenedPage, openBrowser, openIn } from "./browser.ts"
import { type ServedPage, servePage } from "./served-page.ts"

let browser: Browser
let served: ServedPage
let context: BrowserContext
let streams: { page: unknown; after: string }[]

beforeAll(async () => {
  served = await servePage(temporaryFolder())
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await served?.stop()
})

beforeEach(async () => {
  await context?.close()
  context = await browser.newContext({ reducedMotion: "reduce" })
  streams = []
  context.on("request", (request) => {
    if (!request.url().endsWith("/api/events")) return
    streams.push({ page: request.frame().page(), after: request.headers()["last-event-id"] ?? "" })
  })
  await write("Before all")
})

const write = (words: string): Promise<string> =>
  served.write("shared", { replace: true, todos: [{ content: words, status: "in_progress" }, { content: "Other" }] })

const openTabs = async (count: number): Promise<OpenedPage[]> => {
  const tabs: OpenedPage[] = []
  for (let index = 0; index < count; index += 1) {
    const tab = await openIn(context, index === 0 ? served.address : served.origin)
    await tab.getByText("Before all").first().waitFor()
    tabs.push(tab)
  }
  return tabs
}

const allShow = (tabs: readonly OpenedPage[], words: string) =>
  Promise.all(tabs.map((tab) => tab.getByText(words).first().waitFor()))

test("seven tabs, more than may have a connection each, have one, show every change and can all edit", {
  timeout: 240_000,
}, async () => {
  const tabs = await openTabs(7)
  await write("Seen by all")
  await allShow(tabs, "Seen by all")
  expect(streams).toHaveLength(1)
  for (const [index, tab] of tabs.entries()) {
    await tab.getByRole("link", { name: "shared", exact: true }).click()
    await tab.getByRole("button", { name: /Add a todo/ }).click()
    await tab.getByRole("dialog").getByRole("textbox").fill(`From tab ${index}.`)
    await tab.keyboard.press("Enter")
    await tab.getByRole("status").getByText(`You added "From tab ${index}."`).waitFor()
  }
  for (const index of tabs.keys()) await allShow(tabs, `From tab ${index}.`)
  expect(tabs.flatMap(({ complaints }) => complaints)).toEqual([])
})

test("when the tab with the connection is closed another continues from there", async () => {
  const tabs = await openTabs(4)
  await write("The first change")
  await allShow(tabs, "The first change")
  await tabs[0]?.close()
  const others = tabs.slice(1)
  await write("After the first")
  await allShow(others, "After the first")
  expect(streams).toHaveLength(2)
  expect(others).toContain(streams[1]?.page)
  expect(streams[1]?.after).toMatch(/^[\w-]+\.[1-9]\d*$/)
  await Promise.all(others.map((tab) => tab.locator(".link", { hasText: "live" }).waitFor()))
  await others[0]?.close()
  await write("After the second")
  await allShow(others.slice(1), "After the second")
})

test("all tabs show that the server is gone, and any of them can retry", async () => {
  await context.clock.install()
  const tabs = await openTabs(3)
  // From here on nothing is tried again by itself.
  await context.clock.pauseAt(Date.now() + 2_000)
  await served.stop()
  await allShow(tabs, "You see the board as it was at")
  await served.start()
  await tabs[2]?.getByRole("button", { name: "Try now" }).click()
  await Promise.all(tabs.map((tab) => tab.getByText("You see the board as it was at").waitFor({ state: "detached" })))
  await write("Back again")
  await allShow(tabs, "Back again")
})

test("a silent tab with the connection is replaced", async () => {
  const first = await openIn(context, served.address)
  await first.getByText("Before all").first().waitFor()
  await first.evaluate("BroadcastChannel.prototype.postMessage = () => {}")
  const second = await context.newPage()
  second.setDefaultTimeout(30_000)
  await second.clock.install()
  await second.goto(served.origin)
  await second.getByText("connecting").first().waitFor()
  await second.clock.runFor(11_000)
  await second.getByText("Before all").first().waitFor()
  expect(streams).toHaveLength(2)
  await write("From the second")
  await allShow([first, second as OpenedPage], "From the second")
})

test.each(["navigator.locks", "BroadcastChannel"])(
  "without %s each tab has a connection of its own",
  async (missing) => {
    await context.addInitScript(
      missing === "BroadcastChannel"
        ? "delete globalThis.BroadcastChannel"
        : "delete Object.getPrototypeOf(navigator).locks",
    )
    const tabs = await openTabs(2)
    await write("Seen by each")
    await allShow(tabs, "Seen by each")
    expect(streams).toHaveLength(2)
  },
)
