/** The page of a team: plans of two machines through one database, filtered by who and where, and for one who only looks. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freshDatabase } from "../stores/postgres/one-server.ts"
import { readerOf } from "../stores/postgres/reader.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { type OpenedPage, openBrowser, openPage } from "./browser.ts"
import { type ServedPage, servePage } from "./served-page.ts"

const long = 240_000

const homeOf = (who: string, store: string): string => {
  const home = temporaryFolder()
  mkdirSync(join(home, ".headway"), { mode: 0o700 })
  writeFileSync(join(home, ".headway", "settings.json"), JSON.stringify({ who, store }))
  return home
}

const plan = { todos: [{ content: "Read it", status: "in_progress" }, { content: "Fix it" }] }

let url: string
let browser: Browser
let anna: ServedPage
let bob: ServedPage
let [annas, bobs]: OpenedPage[] = []

beforeAll(async () => {
  url = `${await freshDatabase()}?connect_timeout=60`
  ;[anna, bob] = [await servePage(homeOf("Anna@red", url)), await servePage(homeOf("Bob@blue", url))]
  await anna.write("of-anna", plan)
  browser = await openBrowser()
  ;[annas, bobs] = [await openPage(browser, anna.address), await openPage(browser, bob.address)]
}, long)

afterAll(async () => {
  await browser?.close()
  await anna?.stop()
  await bob?.stop()
})

const session = (page: OpenedPage | undefined, name: string) => page?.getByRole("link", { name, exact: true })
const filter = (page: OpenedPage | undefined) => page?.getByRole("combobox", { name: "Show" })

describe("two pages on different homes", () => {
  test(
    "have no filter while there is one person and one machine",
    async () => {
      await session(annas, "of-anna")?.waitFor()
      await session(bobs, "of-anna")?.waitFor()
      expect(await filter(annas)?.count()).toBe(0)
    },
    long,
  )

  test(
    "show each other's plans and changes",
    async () => {
      await bob.write("of-bob", plan)
      await session(annas, "of-bob")?.waitFor()
      await session(bobs, "of-anna")?.click()
      await bobs?.locator("[data-todo]", { hasText: "Fix it" }).getByRole("checkbox").click()
      await session(annas, "of-anna")?.click()
      await annas?.locator("[data-todo].completed", { hasText: "Fix it" }).waitFor()
      for (const page of [annas, bobs]) await page?.getByRole("link", { name: "headway", exact: true }).click()
    },
    long,
  )
})

describe("the filter", () => {
  test(
    "is chosen by the keyboard, and shows the sessions of a person, a machine or a project",
    async () => {
      await filter(annas)?.waitFor()
      await filter(annas)?.focus()
      await annas?.keyboard.type("Bob")
      await session(annas, "of-anna")?.waitFor({ state: "detached" })
      await session(annas, "of-bob")?.waitFor()
      await annas?.getByText("1 of 2").waitFor()
      const options = (await filter(annas)?.locator("optgroup").allTextContents()) ?? []
      expect(options.slice(0, 2)).toEqual(["AnnaBob", "bluered"])
      expect(options).toHaveLength(3)
      await filter(annas)?.selectOption("machine:red")
      await session(annas, "of-bob")?.waitFor({ state: "detached" })
      await session(annas, "of-anna")?.waitFor()
    },
    long,
  )

  test(
    "stays the same on Projects and Search",
    async () => {
      await annas
        ?.getByRole("navigation", { name: "Views", exact: true })
        .getByRole("link", { name: "Projects" })
        .click()
      await session(annas, "of-anna")?.waitFor()
      expect(await session(annas, "of-bob")?.count()).toBe(0)
      await annas?.getByRole("searchbox").fill("Read")
      await annas?.getByRole("status").getByText("1 session").waitFor()
      expect(await filter(annas)?.inputValue()).toBe("machine:red")
      await filter(annas)?.selectOption("")
      await annas?.getByRole("status").getByText("2 sessions").waitFor()
    },
    long,
  )

  test(
    "fits a screen of 320 pixels",
    async () => {
      await bobs?.setViewportSize({ width: 320, height: 640 })
      await filter(bobs)?.waitFor()
      const box = await filter(bobs)?.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320)
      expect(await bobs?.evaluate("document.documentElement.scrollWidth")).toBe(320)
      await filter(bobs)?.selectOption("person:Anna")
      await session(bobs, "of-bob")?.waitFor({ state: "detached" })
      await session(bobs, "of-anna")?.waitFor()
    },
    long,
  )
})

test(
  "a person with read-only access sees the plans; an edit is rolled back and announced",
  async () => {
    const carol = await servePage(homeOf("Carol@green", await readerOf(url)))
    const page = await openPage(browser, carol.address)
    await session(page, "of-bob")?.click()
    const todo = page.locator("[data-todo]", { hasText: "Fix it" })
    await todo.getByRole("checkbox").click()
    await page.getByRole("alert").filter({ hasText: "may read plans but not change them" }).waitFor()
    await todo.and(page.locator(".pending")).waitFor()
    expect(await bob.run("show", "--session", "of-bob", "--json")).not.toContain('"status": "completed"')
    expect(page.complaints).toEqual([])
    await page.context().close()
    await carol.stop()
  },
  long,
)

test("the browsers logged no complaints", () => {
  expect([annas?.complaints, bobs?.complaints]).toEqual([[], []])
})
