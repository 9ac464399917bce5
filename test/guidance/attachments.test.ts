/** Attachments a host makes itself, and generators for what happens besides the list. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import {
  type Attachment,
  attachmentMessage,
  attachmentText,
  changedFileAttachment,
  createAttachment,
  createChangedFiles,
  createQueuedMessages,
  createReminders,
  queuedMessageAttachment,
  type ReminderGenerator,
  todoAttachment,
  todoReminderAttachment,
  userEntry,
} from "../../src/guidance/index.ts"
import { emptyPlan, type Todo } from "../../src/plan/index.ts"
import { expectSafeData, expectSafeText, hostileTexts } from "../contracts/model-text.ts"

const todos: Todo[] = [
  { id: "1", content: "Read", status: "completed" },
  { id: "2", content: "Write", status: "in_progress", activeForm: "Writing" },
]
const options = { now: () => new Date(0), newId: () => "u" }
const tools = { list: "TodoWrite" }

const textOf = (attachment: Attachment): string => attachmentText(attachment, tools) ?? ""

describe("attachments", () => {
  test("C18 C19 a changed list is attached as JSON", () => {
    const attachment = todoAttachment(todos, options)
    expect(attachment).toEqual({
      type: "attachment",
      attachment: { type: "todo", content: todos, itemCount: 2 },
      uuid: "u",
      timestamp: "1970-01-01T00:00:00.000Z",
    })
    expect(textOf(attachment)).toContain('"content":"Write","status":"in_progress"')
    expect(textOf(todoAttachment([], options))).toContain("The todo list is empty")
    expect(todoAttachment(todos, { ...options, context: "post-compact" }).attachment.context).toBe("post-compact")
  })

  test("C18 an empty list has nothing to say after a compaction", () => {
    const attachment = todoAttachment([], { ...options, context: "post-compact" })
    expect(attachmentText(attachment, tools)).toBeUndefined()
    expect(attachmentMessage(attachment, tools)).toBeUndefined()
  })

  test("C20 a reminder lists the todos in brackets", () => {
    const attachment = todoReminderAttachment(todos, options)
    expect(attachment.attachment).toMatchObject({ type: "todo_reminder", itemCount: 2 })
    expect(textOf(attachment)).toContain("[1. [completed] Read\n2. [in_progress] Write]")
  })

  test("C19 each attachment becomes a message for the model, and an entry of a transcript", () => {
    const message = attachmentMessage(queuedMessageAttachment("Stop at noon", options), tools)
    expect(message).toMatchObject({ role: "user", isMeta: true, uuid: "u" })
    expect(message?.content).toMatch(/^<system-reminder>\n[\s\S]*Stop at noon[\s\S]*\n<\/system-reminder>$/)
    expect(message && userEntry(message)).toEqual({
      type: "user",
      message: { role: "user", content: message?.content },
      isMeta: true,
      uuid: "u",
      timestamp: "1970-01-01T00:00:00.000Z",
    })
  })

  test("a host's own type of attachment stays, with the host's text", () => {
    const attachment = createAttachment({ type: "weather", degrees: 21 }, options)
    expect(attachment.attachment).toEqual({ type: "weather", degrees: 21 })
    expect(attachmentMessage(attachment, tools)).toBeUndefined()
  })

  test.each(hostileTexts)("G8 no text in an attachment poses as anything else: %j", (text) => {
    const made = [
      queuedMessageAttachment(`- ${text}`, options),
      changedFileAttachment({ filename: `- ${text}`, snippet: `1 ${text}` }, options),
    ]
    for (const attachment of made) {
      expectSafeData(attachment)
      // What a person wrote may begin a line with any word; it may not close the tags or speak for another.
      expectSafeText(textOf(attachment).replaceAll("OBEY", "obey"))
    }
  })
})

const situation = { plan: emptyPlan, agent: "main" }

/** What a generator has to say now, through the reminders of a host. */
const textsFrom = async (generator: ReminderGenerator, agent = "main"): Promise<string[]> => {
  const due = await createReminders({ tools, agent, rules: [], generators: { generator } }).due(situation)
  return due.map(({ text }) => text)
}

describe("queued messages", () => {
  test("are given once each, in their order, to the agent the person talks to", async () => {
    const queued = createQueuedMessages()
    for (const text of ["First", " ", "Second"]) queued.push(text)
    expect(queued.waiting).toEqual(["First", "Second"])
    expect(await textsFrom(queued.generator, "helper")).toEqual([])
    const texts = await textsFrom(queued.generator)
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain("\nFirst\n")
    expect(texts[1]).toContain("\nSecond\n")
    expect(await textsFrom(queued.generator)).toEqual([])
  })

  test("can be taken back by a host whose agent has stopped", async () => {
    const queued = createQueuedMessages({ agent: "helper" })
    queued.push("Wait")
    expect(queued.take()).toEqual(["Wait"])
    expect(await textsFrom(queued.generator, "helper")).toEqual([])
  })
})

describe("changed files", () => {
  const folder = mkdtempSync(join(tmpdir(), "headway-test-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = join(folder, "a.ts")
  const files = () => createChangedFiles({ read: (one) => readFile(one, "utf8") })

  test("a file that others changed is reported once, with the lines that differ and their numbers", async () => {
    const changed = files()
    const before = ["one", "two", "three", "four"]
    writeFileSync(path, before.join("\n"))
    changed.saw(path, before.join("\n"))
    expect(await textsFrom(changed.generator)).toEqual([])
    writeFileSync(path, ["one", "  TWO", "2.5", "three", "four"].join("\n"))
    const [text = ""] = await textsFrom(changed.generator)
    expect(text).toContain(`${path} has changed since you saw it`)
    expect(text).toContain("  > 2   TWO\n  > 3 2.5\n")
    expect(text).not.toContain("three")
    expect(await textsFrom(changed.generator)).toEqual([])
  })

  test("removed lines and a removed file are reported; what the model wrote itself is not", async () => {
    const changed = files()
    writeFileSync(path, "one\nthree")
    changed.saw(path, "one\ntwo\nthree")
    expect((await textsFrom(changed.generator))[0]).toContain("lines were removed after line 1")
    writeFileSync(path, "mine")
    changed.saw(path, "mine")
    expect(await textsFrom(changed.generator)).toEqual([])
    rmSync(path)
    expect((await textsFrom(changed.generator))[0]).toContain("was deleted")
    expect(await textsFrom(changed.generator)).toEqual([])
    changed.saw(path, "mine")
    changed.forget(path)
    expect(await textsFrom(changed.generator)).toEqual([])
  })

  test("a large change is shown in part", async () => {
    const changed = files()
    changed.saw(path, "")
    writeFileSync(path, Array.from({ length: 100 }, (_, line) => `line ${line} ${"x".repeat(1000)}`).join("\n"))
    const [text = ""] = await textsFrom(changed.generator)
    expect(text).toContain("… and 40 more lines")
    expect(text.length).toBeLessThan(25_000)
  })
})
