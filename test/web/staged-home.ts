/** A home in which agents of three vendors have worked: for tests of the page, its bench and the README's pictures. */
import { spawn } from "node:child_process"
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** `done`, `doing` or nothing before the words: `✓ Read`, `▶ Write`, `Test`. */
export type StagedTodos = readonly string[]

/** A file it changed, or a command it ran and what that printed. */
export type StagedWork = { edit: string } | { run: string; prints: string; fails?: true }

export type StagedSession = {
  id: string
  /** A folder under the home's `code`. */
  project: string
  branch?: string
  prompt: string
  /** Lists the agent wrote, each so many seconds before now; the last one is where it stands. */
  lists?: readonly (readonly [secondsAgo: number, todos: StagedTodos])[]
  /** What it did between its lists, each so many seconds before now; read only of `claude`. */
  work?: readonly (readonly [secondsAgo: number, work: StagedWork])[]
  /** What it did last. @default "works" */
  end?: "works" | "stops" | { asks: string } | { plans: string } | { fails: string }
  /** When the end came. @default with the last list */
  endedAgo?: number
}

export type Stage = {
  home: string
  claude(session: StagedSession): string
  /** A sub-agent of a session that was written by `claude`. */
  helper(
    file: string,
    helper: { id: string; role: string; about: string; lists: NonNullable<StagedSession["lists"]> },
  ): void
  codex(session: StagedSession): string
  gemini(session: StagedSession): string
  /** Another list of a session that was written by `claude`. */
  says(file: string, todos: StagedTodos, secondsAgo?: number): void
  /** The program of an agent runs in a project, until the returned function is called. Claude Code notes its session. */
  runs(program: string, project: string, session?: string): () => void
}

export const createStage = (home: string, now: () => number = Date.now): Stage => {
  const time = (secondsAgo: number): string => new Date(now() - secondsAgo * 1000).toISOString()
  const write = (path: string, lines: readonly object[]): string => {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    return file
  }
  const startOf = ({ lists = [], endedAgo = 0 }: StagedSession): number =>
    Math.max(endedAgo, ...lists.map(([ago]) => ago)) + 8

  const claudeCall = (about: object, id: string, name: string, input: object, ago: number, isAnswered: boolean) => [
    {
      ...about,
      timestamp: time(ago),
      type: "assistant",
      message: {
        id: `msg_${id}`,
        role: "assistant",
        model: "claude-opus-4-8",
        content: [{ type: "tool_use", id, name, input }],
      },
    },
    ...(isAnswered
      ? [
          {
            ...about,
            timestamp: time(ago),
            type: "user",
            message: {
              role: "user",
              content: [{ type: "tool_result", tool_use_id: id, content: "Todos have been modified successfully." }],
            },
          },
        ]
      : []),
  ]
  const claudeLists = (about: object, lists: StagedSession["lists"] = [], first = 0) =>
    lists.flatMap(([ago, todos], index) =>
      claudeCall(
        about,
        `toolu_${first + index}_${Math.round(now())}`,
        "TodoWrite",
        { todos: todos.map(claudeTodo) },
        ago,
        true,
      ),
    )
  const claudeWork = (about: object, ago: number, work: StagedWork, index: number) => {
    const id = `toolu_work_${index}`
    const [call] =
      "edit" in work
        ? claudeCall(about, id, "Edit", { file_path: work.edit }, ago, false)
        : claudeCall(about, id, "Bash", { command: work.run }, ago, false)
    const [text, fails] = "edit" in work ? ["The file has been updated.", undefined] : [work.prints, work.fails]
    const result = {
      type: "tool_result",
      tool_use_id: id,
      content: fails ? `Exit code 1\n${text}` : text,
      is_error: fails === true,
    }
    return [call ?? {}, { ...about, timestamp: time(ago), type: "user", message: { role: "user", content: [result] } }]
  }
  const claudeAbout = (session: string, folder: string, branch = "main", isSidechain = false) => ({
    parentUuid: null,
    isSidechain,
    userType: "external",
    entrypoint: "cli",
    cwd: folder,
    sessionId: session,
    version: "2.1.197",
    gitBranch: branch,
  })

  return {
    home,
    claude(session) {
      const { id, project, branch, prompt, lists = [], work = [], end = "works" } = session
      const { endedAgo = lists.at(-1)?.[0] ?? 0 } = session
      const folder = join(home, "code", project)
      mkdirSync(folder, { recursive: true })
      const about = claudeAbout(id, folder, branch)
      const assistantLine = (text: string, more: object = {}): object => ({
        ...about,
        timestamp: time(endedAgo),
        type: "assistant",
        message: { id: "msg_end", role: "assistant", content: [{ type: "text", text }], stop_reason: "end_turn" },
        ...more,
      })
      const ending = (): object[] => {
        if (end === "works") return claudeCall(about, "toolu_works", "Bash", { command: "npm test" }, endedAgo, false)
        if (end === "stops") return [assistantLine("Done.")]
        if ("asks" in end) {
          const questions = [{ question: end.asks, header: "Question", options: [{ label: "Yes" }, { label: "No" }] }]
          return claudeCall(about, "toolu_asks", "AskUserQuestion", { questions }, endedAgo, false)
        }
        if ("plans" in end)
          return claudeCall(about, "toolu_plans", "ExitPlanMode", { plan: end.plans }, endedAgo, false)
        return [assistantLine(end.fails, { isApiErrorMessage: true })]
      }
      return write(`.claude/projects/${folder.replace(/[^a-zA-Z0-9]/g, "-")}/${id}.jsonl`, [
        {
          ...about,
          timestamp: time(startOf(session)),
          type: "user",
          message: { role: "user", content: prompt },
          uuid: `u-${id}`,
        },
        ...[
          ...lists.map((list, index) => ({ ago: list[0], lines: claudeLists(about, [list], index) })),
          ...work.map(([ago, one], index) => ({ ago, lines: claudeWork(about, ago, one, index) })),
        ]
          .toSorted((one, other) => other.ago - one.ago)
          .flatMap(({ lines }) => lines),
        ...ending(),
      ])
    },
    helper(file, { id, role, about: description, lists }) {
      const session = file.split("/").at(-1)?.replace(".jsonl", "") ?? ""
      const about = { ...claudeAbout(session, "/", undefined, true), agentId: id }
      const place = `${file.replace(".jsonl", "").slice(home.length + 1)}/subagents/agent-${id}`
      write(`${place}.jsonl`, [
        {
          ...about,
          timestamp: time((lists[0]?.[0] ?? 0) + 3),
          type: "user",
          message: { role: "user", content: description },
        },
        ...claudeLists(about, lists),
        ...claudeCall(about, "toolu_helper", "Bash", { command: "ls" }, lists.at(-1)?.[0] ?? 0, false),
      ])
      writeFileSync(join(home, `${place}.meta.json`), JSON.stringify({ agentType: role, description }))
    },
    codex(session) {
      const {
        id,
        project,
        branch = "main",
        prompt,
        lists = [],
        end = "works",
        endedAgo = lists.at(-1)?.[0] ?? 0,
      } = session
      const cwd = join(home, "code", project)
      mkdirSync(cwd, { recursive: true })
      const start = startOf(session)
      const line = (ago: number, type: string, payload: object) => ({ timestamp: time(ago), type, payload })
      const git = { branch, commit_hash: "7f3a9c1", repository_url: "" }
      const meta = {
        id,
        session_id: id,
        timestamp: time(start),
        cwd,
        originator: "codex_cli_rs",
        cli_version: "0.166.0",
        source: "cli",
        git,
      }
      const calls = lists.flatMap(([ago, todos], index) => {
        const call_id = `call_${index}`
        const plan = todos.map((todo) => ({ step: wordsOf(todo), status: statusOf(todo) }))
        return [
          line(ago, "response_item", {
            type: "function_call",
            status: "completed",
            name: "update_plan",
            arguments: JSON.stringify({ plan }),
            call_id,
          }),
          line(ago, "response_item", { type: "function_call_output", call_id, output: "Plan updated" }),
        ]
      })
      const day = time(start).slice(0, 10)
      return write(`.codex/sessions/${day.replaceAll("-", "/")}/rollout-${day}T10-00-00-${id}.jsonl`, [
        line(start, "session_meta", meta),
        line(start, "event_msg", { type: "task_started", turn_id: "t1" }),
        line(start, "event_msg", { type: "user_message", message: prompt }),
        line(start, "response_item", {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: prompt }],
        }),
        ...calls,
        ...(end === "stops"
          ? [line(endedAgo, "event_msg", { type: "task_complete", turn_id: "t1", last_agent_message: "Done." })]
          : []),
      ])
    },
    gemini(session) {
      const { id, project, prompt, lists = [] } = session
      const start = startOf(session)
      mkdirSync(join(home, "code", project), { recursive: true })
      const calls = lists.map(([ago, todos], index) => ({
        id: `g-${index}`,
        timestamp: time(ago),
        type: "gemini",
        content: "",
        model: "gemini-2.5-pro",
        toolCalls: [
          {
            id: `write_todos_${index}`,
            name: "write_todos",
            args: { todos: todos.map((todo) => ({ description: wordsOf(todo), status: statusOf(todo) })) },
            result: [
              {
                functionResponse: {
                  id: `write_todos_${index}`,
                  name: "write_todos",
                  response: { output: "Successfully updated the todo list." },
                },
              },
            ],
            status: "success",
            timestamp: time(ago),
          },
        ],
      }))
      const day = time(start).slice(0, 10)
      return write(`.gemini/tmp/${project}/chats/session-${day}T10-00-${id.slice(0, 8)}.jsonl`, [
        { sessionId: id, projectHash: "0", startTime: time(start), lastUpdated: time(0), kind: "main" },
        { id: "u-1", timestamp: time(start), type: "user", content: [{ text: prompt }] },
        ...calls,
        {
          id: "g-end",
          timestamp: time(lists.at(-1)?.[0] ?? 0),
          type: "gemini",
          content: "Ready for your review.",
          model: "gemini-2.5-pro",
        },
      ])
    },
    runs(program, project, session) {
      const cwd = join(home, "code", project)
      mkdirSync(cwd, { recursive: true })
      const child = spawn("sleep", ["900"], { argv0: program, cwd, stdio: "ignore" })
      child.unref()
      const note = { pid: child.pid, sessionId: session, cwd, startedAt: Date.now(), status: "running" }
      if (session !== undefined) write(`.claude/sessions/${child.pid}.json`, [note])
      return () => child.kill("SIGKILL")
    },
    says(file, todos, secondsAgo = 0) {
      const session = file.split("/").at(-1)?.replace(".jsonl", "") ?? ""
      const about = claudeAbout(session, "/")
      const lines = claudeCall(
        about,
        `toolu_${Math.round(performance.now() * 1000)}`,
        "TodoWrite",
        { todos: todos.map(claudeTodo) },
        secondsAgo,
        true,
      )
      appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    },
  }
}

const marks: readonly [mark: string, status: string][] = [
  ["✓ ", "completed"],
  ["▶ ", "in_progress"],
]

const statusOf = (todo: string): string => marks.find(([mark]) => todo.startsWith(mark))?.[1] ?? "pending"
const wordsOf = (todo: string): string => (statusOf(todo) === "pending" ? todo : todo.slice(2))
const claudeTodo = (todo: string) => ({ content: wordsOf(todo), status: statusOf(todo), activeForm: wordsOf(todo) })
