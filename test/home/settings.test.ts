/** A person's settings outlive the process, and a broken file is never wiped. */
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { defaultSettings, loadSettings, offersList, type Settings, saveSettings } from "../../src/stores/index.ts"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"

test("without a file the list is offered and shown collapsed (C16)", () => {
  expect(loadSettings(temporaryFolder())).toEqual(defaultSettings)
  expect(defaultSettings).toMatchObject({
    todoFeatureEnabled: true,
    showExpandedTodos: false,
    "tasks.todoClearDelay": 60,
    keepPlansInProject: false,
  })
})

test("saved settings are loaded, and others stay (C16)", () => {
  const home = join(temporaryFolder(), "new")
  expect(saveSettings(home, { showExpandedTodos: true }).showExpandedTodos).toBe(true)
  saveSettings(home, { "tasks.todoClearDelay": -1 })
  expect(loadSettings(home)).toEqual({ ...defaultSettings, showExpandedTodos: true, "tasks.todoClearDelay": -1 })
  expect(statSync(join(home, "settings.json")).mode & 0o777).toBe(0o600)
})

test.each<[string, (path: string) => void]>([
  ["a link to nowhere", (path) => symlinkSync(join(temporaryFolder(), "nowhere"), path)],
  ["a link to a file", (path) => symlinkSync(import.meta.filename, path)],
  ["a file", (path) => writeFileSync(path, "")],
])("%s instead of the temporary folder is reported in a sentence", (_, put) => {
  const home = temporaryFolder()
  put(join(home, "tmp"))
  expect(() => saveSettings(home, { showExpandedTodos: true })).toThrow(
    /tmp is (?:a link that leads to no folder|not a folder), and Headway needs a folder there\. Move it away\.$/,
  )
})

test("unknown keys are kept, values of the wrong kind fall back to their default", () => {
  const home = temporaryFolder()
  writeFileSync(join(home, "settings.json"), '{"future":{"a":1},"showExpandedTodos":"yes","todoFeatureEnabled":false}')
  const expected: Settings = { ...defaultSettings, todoFeatureEnabled: false }
  expect(loadSettings(home)).toEqual(expected)
  saveSettings(home, { keepPlansInProject: true })
  expect(JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))).toMatchObject({ future: { a: 1 } })
})

test.each([
  ["{}", true],
  ['{"todo.enabled":false}', false],
  ['{"todoFeatureEnabled":false,"todo.enabled":true}', false],
  ['{"todo.enabled":"no"}', true],
])("O17 %s: the list is offered: %j", (text, isOffered) => {
  const home = temporaryFolder()
  writeFileSync(join(home, "settings.json"), text)
  expect(offersList(loadSettings(home))).toBe(isOffered)
})

test.each(['{"showExpandedTodos": true,}', "[]", "null", ""])(
  "a broken file, %j, is kept aside by the next save",
  (text) => {
    const home = temporaryFolder()
    writeFileSync(join(home, "settings.json"), text)
    expect(loadSettings(home)).toEqual(defaultSettings)
    expect(saveSettings(home, { showExpandedTodos: true }).showExpandedTodos).toBe(true)
    const aside = namesIn(home).find((name) => name.startsWith("settings.json.bad-"))
    expect(readFileSync(join(home, aside ?? ""), "utf8")).toBe(text)
  },
)

test("a folder instead of the file reads as the defaults", () => {
  const home = temporaryFolder()
  mkdirSync(join(home, "settings.json"))
  expect(loadSettings(home)).toEqual(defaultSettings)
})
