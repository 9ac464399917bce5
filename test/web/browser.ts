/** Headless Chromium for the tests of the page: one browser for a whole file, a context of its own for each page. */
import chromium from "@sparticuz/chromium"
import { type Browser, type BrowserContext, chromium as driver, type Locator, type Page } from "playwright-core"

export const openBrowser = async (): Promise<Browser> => {
  // Its own arguments turn off what protects pages from each other, which is just what is tested.
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"]
  return driver.launch({ executablePath: await unpacked(), args, headless: true })
}

/** It is unpacked once on a machine, and not again in the folder of each run. */
const unpacked = async (): Promise<string> => {
  const { TMPDIR, HEADWAY_TEST_TMPDIR } = process.env
  if (TMPDIR === undefined || HEADWAY_TEST_TMPDIR === undefined) return chromium.executablePath()
  process.env.TMPDIR = HEADWAY_TEST_TMPDIR
  try {
    return await chromium.executablePath()
  } finally {
    process.env.TMPDIR = TMPDIR
  }
}

export type PageLook = { width?: number; height?: number; isDark?: boolean; isPhone?: boolean }

export type OpenedPage = Page & {
  /** What the browser complained about: refused by the policy, or thrown. That it cannot reach a server it says by itself. */
  complaints: string[]
}

/** A browser of its own, with the cookie that the address is exchanged for. */
export const openPage = async (browser: Browser, address: string, look: PageLook = {}): Promise<OpenedPage> => {
  const { isPhone = false, width = isPhone ? 390 : 1360, height = isPhone ? 844 : 900, isDark = false } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: isDark ? "dark" : "light",
    deviceScaleFactor: isPhone ? 2 : 1,
    ...(isPhone ? { isMobile: true, hasTouch: true } : {}),
    reducedMotion: "reduce",
    ignoreHTTPSErrors: true,
    locale: "en-GB",
  })
  return openIn(context, address)
}

/** The element that has the focus and is one of these; waits until it is. */
export const focused = (page: Page, selector: string): Locator => page.locator(`${selector}:focus`)

/** Another page of the same browser. */
export const openIn = async (context: BrowserContext, address: string): Promise<OpenedPage> => {
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] })
  // Nothing here takes long, but a busy machine may: what fails still fails before its test ends.
  page.setDefaultTimeout(30_000)
  page.on("pageerror", ({ message }) => page.complaints.push(message))
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning"
    if (isComplaint && !message.text().includes("net::ERR_")) page.complaints.push(message.text())
  })
  await page.goto(address)
  return page
}
