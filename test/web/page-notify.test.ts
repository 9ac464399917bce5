/** Notifications of the page: through its service worker, as phones need it, and where a press on one leads. */
import type { Browser, BrowserContext } from "playwright-core"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { type OpenedPage, openBrowser, openIn } from "./browser.ts"
import { type ServedPage, servePage } from "./served-page.ts"
import { createStage } from "./staged-home.ts"

const home = temporaryFolder()
const stage = createStage(home)
let browser: Browser
let served: ServedPage
let context: BrowserContext
let count = 0

beforeAll(async () => {
  served = await servePage(home)
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await served?.stop()
})

/** Chromium without a screen allows no notifications: what would be shown is kept in `shown`. */
const permitted = `globalThis.shown = []
const keep = (by, title, { body, tag, data }) => shown.push({ by, title, body, tag, data })
globalThis.Notification = class {
  static permission = "default"
  static async requestPermission() {
    return (this.permission = "granted")
  }
  constructor(title, options) {
    keep("page", title, options)
    globalThis.pressed = () => this.onclick()
  }
  close() {}
}
ServiceWorkerRegistration.prototype.showNotification = async (title, options) => keep("worker", title, options)`

beforeEach(async () => {
  await context?.close()
  context = await browser.newContext({ reducedMotion: "reduce" })
  await context.addInitScript(permitted)
  count += 1
})

const shown = (page: OpenedPage): Promise<unknown> => page.evaluate("shown")

/** A page on which notifications were asked for. */
const notified = async (): Promise<OpenedPage> => {
  const page = await openIn(context, served.address)
  await page.goto(`${served.origin}/devices`)
  await page.getByRole("button", { name: "Notify me" }).click()
  await page.getByRole("button", { name: "Turn off" }).waitFor()
  await page.evaluate("navigator.serviceWorker?.ready.then(() => {})")
  return page
}

const finishPlan = (session: string): Promise<string> =>
  served.write(session, { todos: [{ content: "Ship it", status: "completed" }] })

const pathOf = (session: string): string => `/session/${encodeURIComponent(JSON.stringify([session, "main"]))}`

/** What the browser does when a person presses the notification. Resolves with the window that was focused, or what was opened. */
const press = async (path: string, { hasWindows = true } = {}): Promise<unknown> => {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"))
  return worker.evaluate(`(async () => {
    const done = []
    WindowClient.prototype.focus = async function () {
      done.push({ focused: new URL(this.url).pathname })
    }
    clients.openWindow = async (path) => void done.push({ opened: path })
    if (!${hasWindows}) clients.matchAll = async () => []
    const work = []
    const event = new ExtendableEvent("notificationclick")
    event.waitUntil = (promise) => work.push(promise)
    event.notification = { data: { path: ${JSON.stringify(path)} }, close: () => done.push("closed") }
    dispatchEvent(event)
    await Promise.all(work)
    return done
  })()`)
}

test("a finished plan and a waiting agent are notified by the service worker", async () => {
  const page = await notified()
  const [done, asking] = [`release-${count}`, `Translate guide ${count}`]
  await finishPlan(done)
  await expect
    .poll(() => shown(page))
    .toEqual([
      {
        by: "worker",
        title: "All done",
        body: expect.stringContaining("the only todo is done"),
        tag: expect.stringContaining(done),
        data: { path: pathOf(done) },
      },
    ])
  const id = "6b2d8f4f-1e75-4b90-8c2f-70e3d2ab8c51"
  stage.claude({ id, project: "docs", prompt: asking, end: { asks: "Keep the price table?" } })
  const ends = stage.runs("claude", "docs", id)
  try {
    const waits = expect.objectContaining({ title: "Waiting for you", body: expect.stringContaining(asking) })
    await expect.poll(() => shown(page)).toContainEqual(waits)
  } finally {
    ends()
  }
  expect(page.complaints).toEqual([])
})

test("of several tabs one notifies", async () => {
  const first = await notified()
  const second = await openIn(context, `${served.origin}/devices`)
  await second.getByRole("button", { name: "Notify me" }).click()
  await second.getByRole("button", { name: "Turn off" }).waitFor()
  const [one, other] = [`first-${count}`, `second-${count}`]
  await finishPlan(one)
  await expect.poll(() => shown(first)).toHaveLength(1)
  expect(await shown(second)).toEqual([])
  // When it is closed the other one tells.
  await first.close()
  await finishPlan(other)
  await expect
    .poll(() => shown(second))
    .toContainEqual(expect.objectContaining({ tag: expect.stringContaining(other) }))
})

test("a click leads to the session in an open window, or else in a new one", async () => {
  const session = `pressed-${count}`
  await served.write(session, { todos: [{ content: "Ship it", status: "in_progress" }] })
  const page = await notified()
  expect(await press(pathOf(session))).toEqual(["closed", { focused: "/devices" }])
  await page.getByRole("heading", { name: session }).waitFor()
  expect(new URL(page.url()).pathname).toBe(pathOf(session))
  expect(await press(pathOf(session), { hasWindows: false })).toEqual(["closed", { opened: pathOf(session) }])
})

test("a click opens only the page, whatever the notification contains", async () => {
  const page = await notified()
  for (const path of ["https://evil.example/", "//evil.example/session/x", "/devices"])
    expect(await press(path, { hasWindows: false })).toEqual(["closed"])
  expect(new URL(page.url()).pathname).toBe("/devices")
})

test("where a browser has no service workers the page notifies itself", async () => {
  await context.addInitScript("delete Object.getPrototypeOf(navigator).serviceWorker")
  const page = await notified()
  let plans = 0
  // What was finished before the page had its first rows is no news: without a worker nothing tells when it has them.
  const finishAnother = async (): Promise<unknown> => {
    plans += 1
    await finishPlan(`alone-${count}-${plans}`)
    return shown(page)
  }
  await expect.poll(finishAnother).toContainEqual(expect.objectContaining({ by: "page", title: "All done" }))
  await page.evaluate("pressed()")
  await page.getByRole("heading", { name: `alone-${count}-` }).waitFor()
})

test("where nothing can be shown the page reports it", async () => {
  await context.addInitScript(`ServiceWorkerRegistration.prototype.showNotification = async () => {
    throw new TypeError("No notifications here.")
  }`)
  const page = await notified()
  await finishPlan(`silent-${count}`)
  await page.getByText("This browser cannot notify you here.").waitFor()
})

test("the service worker is under the page's policy, is loaded anew, and handles no requests", async () => {
  const response = await fetch(`${served.origin}/service-worker.js`)
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
  expect(response.headers.get("cache-control")).toBe("no-cache")
  expect(response.headers.get("content-security-policy")).toContain("script-src 'self'")
  const page = await notified()
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"))
  expect(await worker.evaluate("registration.scope")).toBe(`${served.origin}/`)
  // Requests that it handled would not reach the server, and not be seen to fail here.
  await context.setOffline(true)
  await expect(page.reload()).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/)
})
