import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type ToolName, tools } from "../../../src/reference-agent/tools/index.ts"
import { readTextFile, writeTextFile } from "../../../src/reference-agent/tools/text-file.ts"
import { contentsUnder, namesIn } from "../../stores/temporary.ts"
import { openWorkshop } from "./workshop.ts"

describe("Read", () => {
  test("lines come with their numbers", async () => {
    const { run } = openWorkshop({ "a.txt": "one\n\ttwo\n\nfour" })
    expect(await run("Read", { file_path: "a.txt" })).toEqual({
      text: "1\tone\n2\t\ttwo\n3\t\n4\tfour",
      display: "Read a.txt: 4 lines",
    })
  })

  test("a part comes with a note on what is left", async () => {
    const { run } = openWorkshop({ "a.txt": "1\n2\n3\n4\n5\n" })
    const { text } = await run("Read", { file_path: "a.txt", offset: "2", limit: 2 })
    expect(text).toBe('2\t2\n3\t3\n\n(Lines 2 to 3 of 5. Continue with "offset": 4.)')
    expect((await run("Read", { file_path: "a.txt", offset: 4, limit: null })).text).toBe("4\t4\n5\t5")
  })

  test("an offset after the end reports the number of lines", async () => {
    const { run } = openWorkshop({ "a.txt": "1\n2\n" })
    expect(await run("Read", { file_path: "a.txt", offset: 9 })).toEqual({
      text: "a.txt has only 2 lines.",
      isError: true,
    })
  })

  test("an empty file is reported as empty", async () => {
    expect((await openWorkshop({ "a.txt": "" }).run("Read", { file_path: "a.txt" })).text).toBe("a.txt is empty.")
  })

  test("a long line is cut, never inside a character", async () => {
    const { run } = openWorkshop({ "a.txt": `${"🦊".repeat(20)}\nshort` }, { limits: { lineLength: 7 } })
    expect((await run("Read", { file_path: "a.txt" })).text).toBe("1\t🦊🦊🦊\ufffd… (33 more characters)\n2\tshort")
  })

  test("line ends and byte order marks of Windows are not shown", async () => {
    const { run } = openWorkshop({ "a.txt": "\uFEFFone\r\ntwo\r\n" })
    expect((await run("Read", { file_path: "a.txt" })).text).toBe("1\tone\n2\ttwo")
  })

  test("a binary file is refused with its size", async () => {
    const { run } = openWorkshop({ "a.png": new Uint8Array([0x89, 0x50, 0, 0, 1]) })
    expect(await run("Read", { file_path: "a.png" })).toEqual({
      text: "a.png is a binary file (5 bytes), so it cannot be shown as text.",
      isError: true,
    })
  })

  test("text in another encoding is shown with a warning", async () => {
    const { run } = openWorkshop({ "a.txt": Buffer.from("Gr\xfc\xdfe", "latin1") })
    expect((await run("Read", { file_path: "a.txt" })).text).toMatch(/^1\tGr\ufffd+e\n\n\(Not all of it is UTF-8/)
  })

  test("only the first part of a huge file is read", async () => {
    const { run } = openWorkshop({ "a.txt": "0123456789\n".repeat(100_000) }, { limits: { fileSize: 110 } })
    const { text } = await run("Read", { file_path: "a.txt" })
    expect(text).toMatch(/^1\t0123456789\n/)
    expect(text).toMatch(/\(Only the first 110 bytes of 1\.1 MB can be read here; Bash can do more\.\)$/)
    expect((await run("Read", { file_path: "a.txt", offset: 11 })).text).toBe(
      "a.txt has only 10 lines in the part that is read.",
    )
  })

  test("a folder is reported as one", async () => {
    const { run } = openWorkshop({ "src/a.ts": "" })
    expect((await run("Read", { file_path: "src" })).text).toBe("src is a folder. Glob lists what is in it.")
  })

  test("a pipe is not awaited", async () => {
    const { run, cwd } = openWorkshop()
    execFileSync("mkfifo", [join(cwd, "pipe")])
    expect((await run("Read", { file_path: "pipe" })).text).toBe("pipe is not a regular file, so it was not read.")
  })

  test.each([
    ["src/Index.ts", "There is no src/Index.ts. Did you mean src/index.ts?"],
    ["src/index.js", "There is no src/index.js. Did you mean src/index.ts?"],
    ["src/loop-back.ts", "There is no src/loop-back.ts. Did you mean src/loopback.ts?"],
    ["src/zebra", "There is no src/zebra."],
    ["lib/index.ts", "There is no lib/index.ts, nor the folder it would be in."],
  ])("%s is missing, and similar names are offered", async (file_path, text) => {
    const { run } = openWorkshop({ "src/index.ts": "", "src/loopback.ts": "", "src/other.md": "" })
    expect(await run("Read", { file_path })).toEqual({ text, isError: true })
  })

  test("a file in place of a folder is a clear error", async () => {
    const { run } = openWorkshop({ a: "" })
    expect((await run("Read", { file_path: "a/b.txt" })).text).toMatch(/^A part of the path is a file, not a folder/)
  })
})

describe("Write", () => {
  test("a file is made, with its folders", async () => {
    const { run, cwd } = openWorkshop()
    expect(await run("Write", { file_path: "a/b/c.txt", content: "one\ntwo\n" })).toEqual({
      text: "Created a/b/c.txt, 2 lines.",
      display: "Created a/b/c.txt: 2 lines",
    })
    expect(readFileSync(join(cwd, "a/b/c.txt"), "utf8")).toBe("one\ntwo\n")
    expect(namesIn(join(cwd, "a/b"))).toEqual(["c.txt"])
  })

  test("a file that was not read is not overwritten", async () => {
    const { run, cwd } = openWorkshop({ "a.txt": "dear" })
    expect(await run("Write", { file_path: "a.txt", content: "x" })).toEqual({
      text: "a.txt has not been read yet. Read it first, then change it.",
      isError: true,
    })
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("dear")
  })

  test("a file that changed since it was read is not overwritten", async () => {
    const { run, cwd } = openWorkshop({ "a.txt": "dear" })
    await run("Read", { file_path: "a.txt" })
    writeFileSync(join(cwd, "a.txt"), "deer")
    expect((await run("Write", { file_path: "a.txt", content: "x" })).text).toMatch(
      /^a.txt has changed since it was read/,
    )
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("deer")
  })

  test("a file that was read is written, keeps its permissions, and may be written again", async () => {
    const { run, cwd } = openWorkshop({ "run.sh": "echo one\n" })
    chmodSync(join(cwd, "run.sh"), 0o750)
    await run("Read", { file_path: "run.sh" })
    expect((await run("Write", { file_path: "run.sh", content: "echo two\n" })).text).toBe("Wrote run.sh, 1 line.")
    expect((await run("Write", { file_path: "run.sh", content: "\uFEFFecho three\n" })).isError).toBeUndefined()
    expect((await run("Write", { file_path: "run.sh", content: "echo four\n" })).isError).toBeUndefined()
    expect(statSync(join(cwd, "run.sh")).mode & 0o777).toBe(0o750)
    expect(readFileSync(join(cwd, "run.sh"), "utf8")).toBe("echo four\n")
  })

  test("a file that ran as its owner no longer does once it is written: it may be another's by then", async () => {
    const { run, cwd } = openWorkshop({ "run.sh": "echo one\n" })
    chmodSync(join(cwd, "run.sh"), 0o6755)
    await run("Read", { file_path: "run.sh" })
    await run("Write", { file_path: "run.sh", content: "echo two\n" })
    expect(statSync(join(cwd, "run.sh")).mode & 0o7777).toBe(0o755)
  })

  test("a link stays a link", async () => {
    const { run, cwd } = openWorkshop({ "real.txt": "one" })
    symlinkSync("real.txt", join(cwd, "link.txt"))
    await run("Read", { file_path: "link.txt" })
    await run("Write", { file_path: "link.txt", content: "two" })
    expect(readFileSync(join(cwd, "real.txt"), "utf8")).toBe("two")
    expect(namesIn(cwd)).toEqual(["link.txt", "real.txt"])
  })

  test("a folder is not overwritten, and no temporary file remains", async () => {
    const { run, cwd } = openWorkshop({ "src/a.ts": "" })
    expect((await run("Write", { file_path: "src", content: "x" })).isError).toBe(true)
    expect(namesIn(cwd)).toEqual(["src"])
  })

  test("a place that cannot be written is an error in words", async () => {
    const { run } = openWorkshop({ a: "" })
    expect((await run("Write", { file_path: "a/b.txt", content: "x" })).text).toMatch(/^A part of the path is a file/)
  })
})

describe("Edit", () => {
  const opened = async (content: string | Uint8Array) => {
    const workshop = openWorkshop({ "a.ts": content })
    await workshop.run("Read", { file_path: "a.ts" })
    const edit = (old_string: string, new_string: string, more = {}) =>
      workshop.run("Edit", { file_path: "a.ts", old_string, new_string, ...more })
    return { ...workshop, edit, text: () => readFileSync(join(workshop.cwd, "a.ts"), "utf8") }
  }

  test("one exact text is replaced and shown with its surroundings", async () => {
    const { edit, text } = await opened("1\n2\n3\nold $& line\n5\n6\n7\n8\n")
    expect(await edit("old $& line", "new $1 line\nand $$ more")).toEqual({
      text: "Edited a.ts:\n2\t2\n3\t3\n4\tnew $1 line\n5\tand $$ more\n6\t5\n7\t6",
      display: "Edited a.ts: 2 lines in place of 1",
    })
    expect(text()).toBe("1\n2\n3\nnew $1 line\nand $$ more\n5\n6\n7\n8\n")
  })

  test("edits may follow each other", async () => {
    const { edit, text } = await opened("one two")
    await edit("one", "1")
    await edit("two", "2")
    expect(text()).toBe("1 2")
  })

  test("a text that appears more than once is refused with its lines", async () => {
    const { edit, text } = await opened("a\nb\na\n")
    expect(await edit("a", "c")).toEqual({
      text: '"old_string" appears 2 times in a.ts (line 1, 3). Take more lines around the one you mean, or set "replace_all".',
      isError: true,
    })
    expect(text()).toBe("a\nb\na\n")
    expect((await edit("a", "c", { replace_all: true })).text).toMatch(/^Edited a.ts in 2 places; the first is:\n1\tc/)
    expect(text()).toBe("c\nb\nc\n")
  })

  test("a text that differs in white space is shown as it is", async () => {
    const { edit } = await opened("if (a) {\n\treturn  b\n}\n")
    expect((await edit("if (a) {\n  return b\n}", "x")).text).toBe(
      '"old_string" does not appear in a.ts. These lines differ from it only in white space:\n1\tif (a) {\n2\t\treturn  b\n3\t}',
    )
  })

  test("line numbers in the text are recognised", async () => {
    const { edit } = await opened("alpha\nbeta\n")
    expect((await edit("1\talpha\n2\tbeta", "x")).text).toMatch(/It would match without the line numbers/)
  })

  test("a missing text is answered with the nearest", async () => {
    const { edit } = await opened("import a\n\nexport const total = (numbers) => sum(numbers)\n\nlast\n")
    expect((await edit("export const total = (values) => sum(values)", "x")).text).toMatch(
      /^"old_string" does not appear in a\.ts\. The nearest is:\n1\timport a\n2\t\n3\texport const total/,
    )
    expect((await edit("zzz qqq", "x")).text).toBe('"old_string" does not appear in a.ts.')
  })

  test.each([
    ["", "x", '"old_string" is empty.'],
    ["a", "a", '"old_string" and "new_string" are the same'],
  ])("%j for %j is refused", async (old_string, new_string, sentence) => {
    expect((await (await opened("a")).edit(old_string, new_string)).text).toContain(sentence)
  })

  test("line ends and the byte order mark of Windows are kept", async () => {
    const { edit, text } = await opened("\uFEFFone\r\ntwo\r\nthree\r\n")
    expect((await edit("one\ntwo", "1\n2\n2a")).isError).toBeUndefined()
    expect(text()).toBe("\uFEFF1\r\n2\r\n2a\r\nthree\r\n")
  })

  test("a file must be read first, and again when it changed", async () => {
    const { run, cwd } = openWorkshop({ "a.ts": "one" })
    const change = { file_path: "a.ts", old_string: "one", new_string: "two" }
    expect((await run("Edit", change)).text).toBe("a.ts has not been read yet. Read it first, then change it.")
    await run("Read", { file_path: "a.ts" })
    writeFileSync(join(cwd, "a.ts"), "one and a half")
    expect((await run("Edit", change)).text).toMatch(/^a.ts has changed since it was read/)
    await run("Read", { file_path: "a.ts", limit: 1 })
    expect((await run("Edit", change)).isError).toBeUndefined()
  })

  test("a file that was touched but not changed is still known", async () => {
    const { run, cwd } = openWorkshop({ "a.ts": "one" })
    await run("Read", { file_path: "a.ts" })
    writeFileSync(join(cwd, "a.ts"), "one")
    expect((await run("Edit", { file_path: "a.ts", old_string: "one", new_string: "two" })).isError).toBeUndefined()
  })

  test("a file that is not UTF-8 or too large is not changed", async () => {
    const { edit } = await opened(Buffer.from("Gr\xfc\xdfe", "latin1"))
    expect((await edit("Gr", "x")).text).toMatch(/is not all UTF-8; writing it would damage it/)
    const { run } = openWorkshop({ "a.ts": "x".repeat(200) }, { limits: { fileSize: 100 } })
    await run("Read", { file_path: "a.ts" })
    expect((await run("Edit", { file_path: "a.ts", old_string: "x", new_string: "y" })).text).toMatch(
      /is too large to change/,
    )
  })

  test("a file of equal letters and a long text in it take one pass, found or not", async () => {
    const { edit, text } = await opened(`${"a".repeat(4_000_000)}b${"a".repeat(300_000)}`)
    expect((await edit(`abb${"a".repeat(200_000)}`, "x")).text).toContain("does not appear in a.ts")
    expect((await edit(`ab${"a".repeat(200_000)}`, "x")).isError).toBeUndefined()
    expect(text()).toBe(`${"a".repeat(3_999_999)}x${"a".repeat(100_000)}`)
  })

  test("a file of equal lines and many lines that are not in it take one pass", async () => {
    const { edit } = await opened("a \n".repeat(500_000))
    expect((await edit(`${"a\n".repeat(250_000)}b\n`, "x")).text).toContain("does not appear in a.ts")
  })

  test("an edit that would make the file too large is refused", async () => {
    const { edit, text } = await opened("a".repeat(100_000))
    expect((await edit("a", "x".repeat(1_000_000), { replace_all: true })).text).toContain(
      "would become larger than 5.0 MB",
    )
    expect(text()).toBe("a".repeat(100_000))
  })

  test("a missing file is answered as in reading", async () => {
    const { run } = openWorkshop({ "a.ts": "" })
    expect((await run("Edit", { file_path: "A.ts", old_string: "x", new_string: "y" })).text).toBe(
      "There is no A.ts. Did you mean a.ts?",
    )
  })
})

describe("permission", () => {
  test("is not needed to read inside the folder, by any path", async () => {
    const { ask, cwd } = openWorkshop({ "src/a.ts": "" })
    for (const file_path of ["src/a.ts", "./src/../src/a.ts", join(cwd, "src/a.ts"), "not-there.ts"]) {
      expect(await ask("Read", { file_path })).toBeUndefined()
    }
    expect(await ask("Glob", { pattern: "**" })).toBeUndefined()
    expect(await ask("Grep", { pattern: "a", path: "src" })).toBeUndefined()
  })

  test("is needed to read outside", async () => {
    const { ask, outside } = openWorkshop()
    writeFileSync(join(outside, "secret"), "s")
    for (const path of ["../outside/secret", join(outside, "secret"), "/etc/passwd", "..", "/", "~", "~/x"]) {
      expect(await ask("Read", { file_path: path })).toMatchObject({ action: "read", isOutside: true })
      expect(await ask("Glob", { pattern: "*", path })).toMatchObject({ action: "read", isOutside: true })
      expect(await ask("Grep", { pattern: "a", path })).toMatchObject({ action: "read", isOutside: true })
    }
    expect((await ask("Read", { file_path: "~/x" }))?.target).toBe(join(homedir(), "x"))
  })

  test("is needed for a folder whose name begins alike", async () => {
    const { ask, cwd } = openWorkshop()
    mkdirSync(`${cwd}-other`)
    expect(await ask("Read", { file_path: `${cwd}-other/a` })).toMatchObject({ isOutside: true })
  })

  test("follows links first: to a file, through a folder, to nothing yet, in a chain", async () => {
    const { ask, cwd, outside } = openWorkshop()
    writeFileSync(join(outside, "secret"), "s")
    symlinkSync(join(outside, "secret"), join(cwd, "file"))
    symlinkSync(outside, join(cwd, "folder"))
    symlinkSync(join(outside, "new"), join(cwd, "dangling"))
    symlinkSync("dangling", join(cwd, "chain"))
    symlinkSync("../outside/deep/new", join(cwd, "relative"))
    for (const file_path of ["file", "folder/secret", "folder/new/er", "dangling", "chain", "relative", "dangling/x"]) {
      expect(await ask("Read", { file_path })).toMatchObject({ action: "read", isOutside: true })
      expect(await ask("Write", { file_path, content: "" })).toMatchObject({ action: "write", isOutside: true })
    }
    expect((await ask("Write", { file_path: "chain", content: "" }))?.target).toBe(join(outside, "new"))
  })

  test("is not needed for a link that stays inside, and is for a circle", async () => {
    const { ask, cwd } = openWorkshop({ "a.txt": "" })
    symlinkSync("a.txt", join(cwd, "link"))
    symlinkSync("circle", join(cwd, "circle"))
    expect(await ask("Read", { file_path: "link" })).toBeUndefined()
    expect(await ask("Read", { file_path: "circle" })).toMatchObject({ isOutside: true })
  })

  describe("is checked again when the tool runs, in case a folder was replaced by a link since", () => {
    const inputs: [ToolName, object][] = [
      ["Read", { file_path: "drop/key" }],
      ["Write", { file_path: "drop/key", content: "mine" }],
      ["Write", { file_path: "drop/new/key", content: "mine" }],
      ["Edit", { file_path: "drop/key", old_string: "secret", new_string: "mine" }],
      ["Glob", { path: "drop", pattern: "*" }],
      ["Grep", { path: "drop", pattern: "secret" }],
      ["Grep", { path: "drop/key", pattern: "secret" }],
    ]
    const swapped = async () => {
      const workshop = openWorkshop({ "drop/key": "secret" })
      await workshop.run("Read", { file_path: "drop/key" })
      const { cwd, outside } = workshop
      const swap = () => {
        renameSync(join(cwd, "drop"), join(cwd, "moved"))
        symlinkSync(outside, join(cwd, "drop"))
      }
      writeFileSync(join(outside, "key"), "secret")
      return { ...workshop, swap, before: contentsUnder(outside) }
    }

    test.each(inputs)("%s %j", async (tool, input) => {
      const { context, ask, outside, swap, before } = await swapped()
      const permitted = (await ask(tool, input))?.target
      swap()
      for (const context_ of [context, { ...context, permitted }, { ...context, permitted: join(outside, "other") }]) {
        const { text, isError } = await tools[tool].run(input, context_)
        expect([text, isError]).toEqual([
          expect.stringMatching(/^The path leads to .*, which was not permitted\.$/),
          true,
        ])
      }
      expect(contentsUnder(outside)).toEqual(before)
    })

    test.each(inputs)("%s %j runs where the person permitted exactly that", async (tool, input) => {
      const { context, ask, run, outside, swap } = await swapped()
      swap()
      await tools.Read.run({ file_path: "drop/key" }, { ...context, permitted: join(outside, "key") })
      expect((await run(tool, input)).isError).toBe(true)
      const permitted = (await ask(tool, input))?.target
      expect((await tools[tool].run(input, { ...context, permitted })).isError).toBeUndefined()
    })

    test.runIf(process.platform === "linux")("and once more when the file is opened or written", async () => {
      const { context, cwd, outside, swap, before } = await swapped()
      swap()
      const real = join(cwd, "drop/key")
      await expect(readTextFile({ real, shown: "drop/key" }, context)).rejects.toThrow("was just replaced")
      for (const path of ["drop/key", "drop/new", "drop/deep/er/new"])
        await expect(writeTextFile(join(cwd, path), "mine")).rejects.toThrow("was just replaced")
      expect(contentsUnder(outside)).toEqual(before)
      expect(namesIn(outside)).toEqual(["key"])
    })
  })

  test("works where the working folder itself is reached through a link", async () => {
    const { context, cwd, outside } = openWorkshop({ "a.txt": "hello" })
    symlinkSync(cwd, join(outside, "way"))
    const through = { ...context, cwd: join(outside, "way") }
    expect(await tools.Read.needsPermission({ file_path: "a.txt" }, through)).toBeUndefined()
    expect(await tools.Read.run({ file_path: "a.txt" }, through)).toMatchObject({ text: "1\thello" })
  })

  test("is always needed to write, for everything that would be written, exactly as it is", async () => {
    const { ask } = openWorkshop({ "a.txt": "" })
    expect(await ask("Write", { file_path: "a.txt", content: "one\n\x1b[31mtwo\n" })).toEqual({
      action: "write",
      target: "a.txt",
      isOutside: false,
      question: "Write over a.txt?",
      detail: "one\n\x1b[31mtwo\n",
    })
    const edit = { file_path: "a\x1b]0;x\x07.txt", old_string: "one\ntwo", new_string: "\u202ethree\n" }
    expect(await ask("Edit", edit)).toMatchObject({
      question: "Edit a\x1b]0;x\x07.txt?",
      detail: "- one\n- two\n+ \u202ethree\n+ ",
    })
    const long = { file_path: "a", content: "x\n".repeat(1000) }
    expect(await ask("Write", long)).toMatchObject({ question: "Write a?", detail: long.content })
    expect(await ask("Write", { file_path: "a", content: "" })).toMatchObject({ question: "Write a, empty?" })
    expect(await ask("Edit", { ...edit, file_path: "a", replace_all: true })).toMatchObject({
      question: "Edit a, everywhere this appears in it?",
    })
  })

  test("shows an edit with the line ends it will have", async () => {
    const { ask, run } = openWorkshop({ "a.txt": "one\r\ntwo\r\n" })
    await run("Read", { file_path: "a.txt" })
    expect(await ask("Edit", { file_path: "a.txt", old_string: "one\ntwo", new_string: "1\n2" })).toMatchObject({
      detail: "- one\r\n- two\n+ 1\r\n+ 2",
    })
  })

  test("names a link next to its target", async () => {
    const { ask, cwd, outside } = openWorkshop({ "a.txt": "" })
    symlinkSync(join(outside, "new"), join(cwd, "out"))
    symlinkSync("a.txt", join(cwd, "in"))
    expect((await ask("Write", { file_path: "out", content: "x" }))?.question).toBe(
      `Write ${join(outside, "new")}, outside the working folder (the link out leads there)?`,
    )
    expect((await ask("Write", { file_path: "in", content: "x" }))?.question).toBe(
      "Write over a.txt (the link in leads there)?",
    )
    expect((await ask("Write", { file_path: "./b/../a.txt", content: "x" }))?.question).toBe("Write over a.txt?")
  })

  test("is refused for half a character, because another would be written in its place", async () => {
    const { run, cwd } = openWorkshop()
    for (const input of [
      { file_path: "a", content: "\ud800" },
      { file_path: "a\udc00", content: "x" },
    ])
      expect((await run("Write", input)).isError).toBe(true)
    expect((await run("Bash", { command: "touch b\ud800" })).text).toContain("has half of a surrogate pair")
    expect(namesIn(cwd)).toEqual([])
  })
})
