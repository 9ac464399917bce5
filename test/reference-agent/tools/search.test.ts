import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { openWorkshop } from "./workshop.ts"

const files = {
  "package.json": "{}",
  ".env.example": "KEY=",
  "src/index.ts": "export const one = 1\nexport const two = 2\n",
  "src/plan/todo.ts": "// TODO: think\nexport type Todo = {}\n",
  "src/plan/[...slug].ts": "",
  "src/page.tsx": "TODO\n",
  "src/(auth)/login.css": "",
  "node_modules/pkg/index.ts": "TODO",
  ".git/config": "TODO",
  "src/node_modules/x.ts": "TODO",
}

describe("Glob", () => {
  test.each([
    ["**/*.ts", ["src/index.ts", "src/plan/[...slug].ts", "src/plan/todo.ts"]],
    ["src/*.{ts,tsx}", ["src/index.ts", "src/page.tsx"]],
    ["*", [".env.example", "package.json"]],
    ["src/plan", ["src/plan/[...slug].ts", "src/plan/todo.ts"]],
    ["src/plan/\\[...slug\\].ts", ["src/plan/[...slug].ts"]],
    ["./package.json", ["package.json"]],
    ["src/(auth)/*", ["src/(auth)/login.css"]],
    ["src/\\(auth\\)/*", ["src/(auth)/login.css"]],
    ["**/src/**/plan/**/*odo*.*", ["src/plan/todo.ts"]],
  ])("%s finds %j", async (pattern, paths) => {
    expect((await openWorkshop(files).run("Glob", { pattern })).text.split("\n")).toEqual(paths)
  })

  test("paths start from the working folder, wherever the search was", async () => {
    const { run } = openWorkshop(files)
    expect(await run("Glob", { pattern: "*.ts", path: "src" })).toEqual({ text: "src/index.ts", display: "1 file" })
  })

  test("a folder named in the call is searched, even an ignored one", async () => {
    const { run } = openWorkshop(files)
    expect((await run("Glob", { pattern: "**", path: "node_modules/pkg" })).text).toBe("node_modules/pkg/index.ts")
  })

  test("nothing found is not an error; a missing folder is one", async () => {
    const { run } = openWorkshop(files)
    expect(await run("Glob", { pattern: "**/*.rs" })).toEqual({ text: "No file matches.", display: "No files" })
    expect(await run("Glob", { pattern: "*", path: "source" })).toMatchObject({ isError: true })
    expect(await run("Glob", { pattern: "*", path: "package.json" })).toEqual({
      text: "package.json is a file, not a folder.",
      isError: true,
    })
  })

  test.each([
    "../*",
    "/etc/*",
    "src/../../outside/*",
    "..",
    "{..,src}/*",
    "{../outside,src}/*",
    "+(..)/*",
    "@(..|src)/**",
    "[.][.]/*",
  ])("%s does not search outside", async (pattern) => {
    const { run, outside } = openWorkshop(files)
    writeFileSync(join(outside, "secret"), "TODO")
    expect((await run("Glob", { pattern })).text).not.toMatch(/secret|passwd/)
    expect((await run("Grep", { pattern: "TODO", glob: pattern, output_mode: "files" })).text).not.toContain("secret")
  })

  test.each([`${"*a".repeat(30)}b`, `${"[a]+".repeat(9)}b`, `${"{a,aa}".repeat(40)}b`])(
    "%s, which would take for ever, is given up",
    async (pattern) => {
      const { run } = openWorkshop({ ["a".repeat(200)]: "x" })
      const text = "The pattern takes too long. Use fewer wildcards."
      expect(await run("Glob", { pattern })).toEqual({ text, isError: true })
      expect(await run("Grep", { pattern: "x", glob: pattern })).toEqual({ text, isError: true })
    },
  )

  test.each([
    "*a*a*b",
    "+(a)b",
    "(a+)+b",
    "!(a)",
    "**/".repeat(40),
    "{a,b}".repeat(15),
    "{1..1000000}",
    "[",
    "{",
    "\\",
  ])("%s is a pattern like any other", async (pattern) => {
    const { run } = openWorkshop({ [`${"a".repeat(200)}/${"a".repeat(200)}`]: "x" })
    expect((await run("Glob", { pattern })).text).toMatch(/^(?:No file matches\.|a+\/a+)$/)
  })

  test("links are not followed, not even when they are named", async () => {
    const { run, cwd, outside } = openWorkshop({ "a.txt": "TODO" })
    mkdirSync(join(outside, "deep"))
    writeFileSync(join(outside, "deep/secret.txt"), "TODO")
    symlinkSync(outside, join(cwd, "link"))
    symlinkSync(join(outside, "deep/secret.txt"), join(cwd, "link.txt"))
    symlinkSync(cwd, join(cwd, "circle"))
    for (const pattern of ["**", "link/**", "link/deep/*", "link/deep/secret.txt", "link.txt", "circle/*"]) {
      expect((await run("Glob", { pattern })).text).not.toMatch(/secret/)
      expect((await run("Grep", { pattern: "TODO", glob: pattern })).text).not.toMatch(/link.*TODO|secret/)
    }
  })

  test("a list that is too long is cut with a note", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, ""]))
    const { text, display } = await openWorkshop(many, { limits: { listLength: 10 } }).run("Glob", { pattern: "*" })
    expect(text.split("\n")).toHaveLength(11)
    expect(text).toMatch(/\(… and 20 more\. Use a narrower pattern\.\)$/)
    expect(display).toBe("30 files")
  })
})

describe("hidden characters in the name of a file", () => {
  const hidden = { "src/a\u200bb.ts": "TODO\n", "src/ab.ts": "TODO\n", "src/c\nd\u202e.ts": "TODO\n" }
  const names = ["src/ab.ts", "src/a⟨\\u200b⟩b.ts", "src/c⟨\\n⟩d⟨\\u202e⟩.ts"]

  test("are shown by Glob and by Grep, so that no name stands for another file", async () => {
    const { run } = openWorkshop(hidden)
    const globbed = await run("Glob", { pattern: "src/*" })
    expect(globbed.text.split("\n").toSorted()).toEqual(names.toSorted())
    const searched = await run("Grep", { pattern: "TODO", output_mode: "files" })
    expect(searched.text.split("\n").toSorted()).toEqual(names.toSorted())
  })

  test("are shown once in a folder that has them too", async () => {
    const { run } = openWorkshop({ "d\u200b/a\u200b.ts": "" })
    expect((await run("Glob", { pattern: "*", path: "d\u200b" })).text).toBe("d⟨\\u200b⟩/a⟨\\u200b⟩.ts")
  })
})

describe("Grep", () => {
  test("lines come with file and number", async () => {
    const { run } = openWorkshop(files)
    expect(await run("Grep", { pattern: "TODO" })).toEqual({
      text: "src/page.tsx:1:TODO\nsrc/plan/todo.ts:1:// TODO: think",
      display: "2 matches in 2 files",
    })
  })

  test.each([
    [{ pattern: "todo", ignore_case: true, output_mode: "files" }, "src/page.tsx\nsrc/plan/todo.ts"],
    [{ pattern: "export", output_mode: "count" }, "src/index.ts: 2\nsrc/plan/todo.ts: 1"],
    [{ pattern: "^export const (\\w+) = 2$" }, "src/index.ts:2:export const two = 2"],
    [{ pattern: "TODO", glob: "*.tsx" }, "src/page.tsx:1:TODO"],
    [{ pattern: "TODO", glob: "src/*.tsx" }, "src/page.tsx:1:TODO"],
    [{ pattern: "TODO", path: "src/plan" }, "src/plan/todo.ts:1:// TODO: think"],
    [{ pattern: "TODO", path: "src/page.tsx" }, "src/page.tsx:1:TODO"],
    [{ pattern: "one", context: 1 }, "src/index.ts:1:export const one = 1\nsrc/index.ts-2-export const two = 2"],
    [{ pattern: "\\-\\>|const two" }, "src/index.ts:2:export const two = 2"],
    [{ pattern: "nothing of the kind" }, "No line matches."],
  ])("%j", async (input, text) => {
    expect((await openWorkshop(files).run("Grep", input)).text).toBe(text)
  })

  test("lines around matches are shown once, with gaps marked", async () => {
    const { run } = openWorkshop({ a: "1\nx\n3\nx\n5\n6\n7\nx\n9\n" })
    expect((await run("Grep", { pattern: "x", context: 1 })).text.split("\n")).toEqual([
      "a-1-1",
      "a:2:x",
      "a-3-3",
      "a:4:x",
      "a-5-5",
      "--",
      "a-7-7",
      "a:8:x",
      "a-9-9",
    ])
  })

  test("a limit is observed and reported", async () => {
    const { run } = openWorkshop({ a: "x\n".repeat(50) })
    const { text } = await run("Grep", { pattern: "x", limit: 3 })
    expect(text).toBe("a:1:x\na:2:x\na:3:x\n(There is more. Use a narrower pattern.)")
  })

  test("binary and large files are left out, and reported", async () => {
    const { run } = openWorkshop(
      { a: "x", b: new Uint8Array([120, 0]), c: "x".repeat(200) },
      { limits: { fileSize: 100 } },
    )
    expect((await run("Grep", { pattern: "x" })).text).toBe("a:1:x\n(Left out (binary, too large or unreadable): 2.)")
  })

  test("a long line is cut", async () => {
    const { text } = await openWorkshop({ a: "x".repeat(5000) }).run("Grep", { pattern: "x" })
    expect(text).toBe(`a:1:${"x".repeat(300)}… (4700 more characters)`)
  })

  test("an invalid pattern is explained", async () => {
    expect(await openWorkshop(files).run("Grep", { pattern: "foo(" })).toMatchObject({
      text: expect.stringMatching(/^The pattern is not a regular expression: .*Put \\ before/),
      isError: true,
    })
  })

  test.each(["(a+)+$", "(a|a)*$", "(.*a){25}$", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
    "%s, which would take for ever, is given up",
    async (pattern) => {
      const { run } = openWorkshop({ a: `${"a".repeat(60)}!` })
      const result = await run("Grep", { pattern })
      expect(result).toMatchObject({ text: expect.stringMatching(/^The pattern takes too long on a\./), isError: true })
    },
  )

  test("it stops when it is interrupted", async () => {
    const stop = new AbortController()
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, "x\n"]))
    const { run } = openWorkshop(many, { signal: stop.signal })
    const running = [run("Grep", { pattern: "x" }), run("Glob", { pattern: "**" })]
    stop.abort()
    for (const result of await Promise.all(running)) expect(result).toEqual({ text: "Interrupted.", isError: true })
  })
})
