/** Writes a home full of agents' session files, as a person who works with them for months would have. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"

export type Tree = { files: number; bytes: number; lines: number; todoCalls: number }

const megabyte = 1 << 20
const share = 0.02

/** Always the same numbers, so that two runs read the same tree. */
const createRandom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Prose and code as agents read and write it: what is installed here, cut at will. */
const fillerText = (): string => {
  const texts: string[] = []
  let size = 0
  for (const name of readdirSync("node_modules")) {
    const readme = join("node_modules", name, "README.md")
    const { main } = readJson(join("node_modules", name, "package.json"))
    for (const path of [readme, ...(typeof main === "string" ? [join("node_modules", name, main)] : [])]) {
      const text = size > 6 * megabyte ? "" : readText(path).slice(0, 400_000)
      texts.push(text)
      size += text.length
    }
  }
  return texts.join("\n")
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const readJson = (path: string): { main?: unknown } => JSON.parse(readText(path) || "{}") as { main?: unknown }

type Writer = {
  line(value: unknown): void
  isFull(): boolean
  random(): number
  text(): string
  command(): string
  at(): string
}
type Session = { id: string; project: string; todo(): Record<string, unknown>[] }

/** The lines of one session in one agent's format. */
type Format = {
  share: number
  path(session: Session, index: number): string
  write(out: Writer, session: Session): void
}

const steps = ["Read the failing test", "Find the cause", "Write a test", "Fix it", "Run all tests", "Update the docs"]

/** As agents run them; some others write a text to a file. */
const commands = [
  "git status --short",
  "npm test 2>&1 | tail -20",
  "rg -n 'createPlan' src",
  "sed -n 1,120p src/plan/fold.ts",
  "cd packages/api && npx tsc --noEmit",
  "ls -la src && cat package.json",
  "git diff --stat HEAD~1",
  "npx vitest run --reporter=dot",
  "find . -name '*.ts' -not -path './node_modules/*' | head -50; echo",
  "python3 -c 'import json; print(json.dumps({}))'",
]

export const writeTranscripts = (home: string, megabytes: number): Tree => {
  const filler = fillerText()
  const random = createRandom(7)
  const tree: Tree = { files: 0, bytes: 0, lines: 0, todoCalls: 0 }
  const total = megabytes * megabyte
  for (const format of formats) {
    for (const end = tree.bytes + total * format.share; tree.bytes < end; tree.files += 1) {
      const size = Math.min((0.2 + random() ** 3 * 12) * megabyte, end - tree.bytes)
      writeSession(home, format, { filler, random, tree, size })
    }
  }
  return tree
}

const writeSession = (
  home: string,
  format: Format,
  { filler, random, tree, size }: { filler: string; random: () => number; tree: Tree; size: number },
): void => {
  const index = tree.files
  const hex = (length: number) =>
    Math.floor(random() * 16 ** length)
      .toString(16)
      .padStart(length, "0")
  const session: Session = {
    id: `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(8)}${hex(4)}`,
    project: `/home/user/project-${index % 12}`,
    todo: () => {
      tree.todoCalls += 1
      const done = Math.floor(random() * (steps.length + 1))
      return steps.map((content, step) => ({
        content: `${content} of module ${index}`,
        status: step < done ? "completed" : step === done ? "in_progress" : "pending",
        activeForm: `Working on step ${step + 1}`,
      }))
    },
  }
  const path = join(home, format.path(session, index))
  mkdirSync(join(path, ".."), { recursive: true })
  const file = openSync(path, "w")
  let written = 0
  let waiting: string[] = []
  let held = 0
  const flush = () => {
    writeSync(file, waiting.join(""))
    waiting = []
    held = 0
  }
  format.write(
    {
      line: (value) => {
        const text = `${JSON.stringify(value)}\n`
        waiting.push(text)
        held += text.length
        written += text.length
        tree.lines += 1
        if (held > megabyte) flush()
      },
      isFull: () => written >= size,
      random,
      // Most pieces are short, some are whole files.
      text: () => {
        const length = Math.floor(40 * 500 ** random())
        const start = Math.floor(random() * Math.max(1, filler.length - length))
        return filler.slice(start, start + length)
      },
      command: () => {
        const count = Math.floor(random() * 40)
        if (count < 4) return `cat > notes-${count}.md <<'EOF'\n${filler.slice(count * 1_000, count * 2_000)}\nEOF`
        return `${commands[count % commands.length]} module-${count}`
      },
      at: () => new Date(1_790_000_000_000 + tree.lines * 700).toISOString(),
    },
    session,
  )
  flush()
  closeSync(file)
  tree.bytes += statSync(path).size
}

const claude: Format = {
  share: 0.7,
  path: ({ id, project }) => `.claude/projects/${project.replaceAll("/", "-")}/${id}.jsonl`,
  write: (out, session) => {
    let parent: string | null = null
    let number = 0
    const line = (type: string, message: unknown, more: Record<string, unknown> = {}) => {
      const uuid = `${session.id.slice(0, 24)}${String(number).padStart(12, "0")}`
      number += 1
      const about = { userType: "external", cwd: session.project, sessionId: session.id, version: "2.1.120" }
      out.line({ parentUuid: parent, isSidechain: false, message, type, uuid, timestamp: out.at(), ...about, ...more })
      parent = uuid
    }
    const say = (content: unknown, stop: string) =>
      line("assistant", {
        id: `msg_${number}`,
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [content],
        stop_reason: stop,
      })
    line("user", { role: "user", content: "Do the work." })
    while (!out.isFull()) {
      const id = `toolu_${session.id.slice(0, 8)}${number}`
      const isTodo = out.random() < share * 2
      const todos = isTodo ? session.todo() : []
      const input = isTodo ? { todos } : { command: out.command(), description: "Look around" }
      say(
        { type: "tool_use", id, name: isTodo ? "TodoWrite" : out.random() < 0.3 ? "Read" : "Bash", input },
        "tool_use",
      )
      const text = isTodo ? "Todos have been modified successfully." : out.text()
      const toolUseResult = isTodo ? { oldTodos: [], newTodos: todos } : { stdout: text, stderr: "" }
      line(
        "user",
        { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: text }] },
        { toolUseResult },
      )
      if (out.random() < 0.3) say({ type: "text", text: out.text().slice(0, 3_000) }, "tool_use")
    }
    say({ type: "text", text: "All done." }, "end_turn")
  },
}

const codex: Format = {
  share: 0.2,
  path: ({ id }, index) =>
    `.codex/sessions/2026/10/${String((index % 28) + 1).padStart(2, "0")}/rollout-2026-10-01T10-00-00-${id}.jsonl`,
  write: (out, session) => {
    let number = 0
    const line = (type: string, payload: Record<string, unknown>) => {
      out.line({ timestamp: out.at(), ordinal: number, type, payload })
      number += 1
    }
    line("session_meta", { id: session.id, cwd: session.project, cli_version: "0.140.0", source: "cli" })
    line("turn_context", { turn_id: "1", cwd: session.project, model: "gpt-5" })
    while (!out.isFull()) {
      const call_id = `call_${session.id.slice(0, 8)}${number}`
      const isTodo = out.random() < share * 2
      const plan = isTodo ? session.todo().map(({ content, status }) => ({ step: content, status })) : []
      const input = JSON.stringify(isTodo ? { plan } : { cmd: out.command() })
      line("response_item", {
        type: "function_call",
        name: isTodo ? "update_plan" : "exec_command",
        arguments: input,
        call_id,
      })
      line("response_item", { type: "function_call_output", call_id, output: isTodo ? "Plan updated" : out.text() })
      if (out.random() < 0.3)
        line("response_item", {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: out.text() }],
        })
    }
    line("event_msg", { type: "task_complete" })
  },
}

const gemini: Format = {
  share: 0.06,
  path: ({ id, project }) =>
    `.gemini/tmp/${project.split("/").at(-1)}/chats/session-2026-10-01T10-00-${id.slice(0, 8)}.jsonl`,
  write: (out, session) => {
    let number = 0
    const record = (type: string, fields: Record<string, unknown>) => {
      number += 1
      out.line({ id: `${session.id}-${number}`, timestamp: out.at(), type, ...fields })
    }
    out.line({ sessionId: session.id, projectHash: "ec8ccdf2d633", startTime: out.at(), kind: "main" })
    record("user", { content: [{ text: "Do the work." }] })
    while (!out.isFull()) {
      const isTodo = out.random() < share * 2
      const todos = isTodo ? session.todo().map(({ content, status }) => ({ description: content, status })) : []
      const name = isTodo ? "write_todos" : "run_shell_command"
      const call = { id: `${name}_${number}`, name, args: isTodo ? { todos } : { command: out.command() } }
      const output = isTodo ? "Successfully updated the todo list." : out.text()
      const result = [{ functionResponse: { id: call.id, name, response: { output } } }]
      record("gemini", { content: "", model: "gemini-2.5-pro", toolCalls: [{ ...call, status: "success", result }] })
      record("user", { content: result })
    }
    record("gemini", { content: "All done.", model: "gemini-2.5-pro" })
  },
}

const qwen: Format = {
  share: 0.04,
  path: ({ id, project }) => `.qwen/projects/${project.replaceAll("/", "-")}/chats/${id}.jsonl`,
  write: (out, session) => {
    let parentUuid: string | null = null
    let number = 0
    const line = (type: string, provenance: string, fields: Record<string, unknown>) => {
      number += 1
      const uuid = `${session.id}-${number}`
      const about = { cwd: session.project, version: "0.20.0", sessionId: session.id, timestamp: out.at() }
      out.line({ uuid, parentUuid, type, provenance, ...about, ...fields })
      parentUuid = uuid
    }
    line("user", "real_user", { message: { role: "user", parts: [{ text: "Do the work." }] } })
    while (!out.isFull()) {
      const isTodo = out.random() < share * 2
      const todos = isTodo ? session.todo().map((todo, index) => ({ ...todo, id: String(index + 1) })) : []
      const [id, name] = [`call_${number}`, isTodo ? "todo_write" : "run_shell_command"]
      const args = isTodo ? { todos } : { command: out.command() }
      line("assistant", "assistant_output", {
        message: { role: "model", parts: [{ functionCall: { id, name, args } }] },
      })
      const response = { output: isTodo ? "Todos have been modified successfully." : out.text() }
      line("tool_result", "tool_result", {
        message: { role: "user", parts: [{ functionResponse: { id, name, response } }] },
      })
    }
    line("assistant", "assistant_output", { message: { role: "model", parts: [{ text: "All done." }] } })
  },
}

const formats: readonly Format[] = [claude, codex, gemini, qwen]
