/** The page in Chromium: its size, how soon it shows a thousand sessions and reacts, and how soon a change is in sight. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type OpenedPage, openBrowser, openPage } from "../test/web/browser.ts"
import { servePage } from "../test/web/served-page.ts"
import { rowsOf, timed, timesToFrame, writeSessions } from "./live.ts"
import { milliseconds, percentile, type Row } from "./measure.ts"

const sessions = 1000
const restful = 72
/** In bytes, compressed. */
const largest = 150 * 1024

export const page = async (): Promise<Row[]> => {
  const size = sizeOf("dist/page")
  const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
  const file = writeSessions(home, sessions)
  const served = await servePage(home)
  const browser = await openBrowser()
  try {
    const opened = await openPage(browser, served.address)
    await opened.locator("article").first().waitFor()
    const paint = Number(await opened.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    const cards = Number(await opened.evaluate("performance.now()"))
    const toPage = await timed(file, restful, (content, done) => void shown(opened, content).then(done))
    const toFrame = await timesToFrame()
    return [
      { what: "the page, compressed", figure: `${Math.ceil(size / 1024)} KB`, ratio: size / largest, limit: 1 },
      { what: `first paint with ${sessions} sessions`, figure: milliseconds(paint) },
      { what: "the same, until cards are there", figure: `at most ${milliseconds(cards)}` },
      { what: "all of them unfolded, to the next frame", figure: milliseconds(await reaction(opened, "A")) },
      { what: "a key that moves the focus, to the next frame", figure: milliseconds(await reaction(opened, "j")) },
      ...rowsOf("a line to the page that shows it", toPage),
      ...rowsOf("a line to the terminal's frame, beside it", toFrame),
      {
        what: "the page's p50 to the terminal's",
        figure: "",
        ratio: percentile(toPage, 0.5) / percentile(toFrame, 0.5),
        limit: 4,
      },
    ]
  } finally {
    await browser.close()
    await served.stop()
    rmSync(home, { recursive: true })
  }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:js|css|html)\.gz$/.test(name))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

/** Resolves when the words are in the document, without asking again and again. */
const shown = (page: OpenedPage, words: string): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const has = () => document.body.innerText.includes(${JSON.stringify(words)})
    if (has()) return resolve()
    const observer = new MutationObserver(() => {
      if (!has()) return
      observer.disconnect()
      resolve()
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })`)

/** Milliseconds from a key to the frame after it. */
const reaction = async (page: OpenedPage, key: string): Promise<number> => {
  await page.evaluate(`void (globalThis.reacted = new Promise((resolve) => {
    addEventListener("keydown", (event) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - event.timeStamp)))
    }, { once: true, capture: true })
  }))`)
  await page.keyboard.press(key)
  return Number(await page.evaluate("globalThis.reacted"))
}
