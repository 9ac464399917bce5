/** Claude Code's session files, `~/.claude/projects/<slug>/<session>.jsonl`, and the files of their sub-agents. */

import {
  activity,
  type Fields,
  failedTurn,
  fieldsOf,
  jsonLines,
  known,
  nameIn,
  objectsOf,
  snapshot,
  textOf,
} from "../../streams/line.ts"
import type { SeenId } from "../../streams/seen-calls.ts"
import { createNews, type NewsSnapshot } from "../../streams/session-news.ts"
import type { Signal, Stream, StreamReader, Wants } from "../../streams/stream.ts"
import {
  callsOf,
  claudeAgentTools,
  claudeTools,
  contentOf,
  createBlocks,
  isFinal,
  orderOf,
  prompted,
  resultsOf,
  type Speaker,
  taskList,
  wordsOf,
} from "../blocks.ts"
import { ownReplyNeedles, ownToolNeedles } from "../own-tool.ts"
import { isAtLeast } from "../version.ts"
import { askingTools } from "./_asking-tools.ts"
import { type CopiesSnapshot, createCopies } from "./_copied-lines.ts"
import { createSidechains } from "./_sub-agents.ts"
import { claudeWork } from "./_work.ts"

export const claudeTranscript = {
  id: "claude-transcript",
  agentType: "claude-code",
  title: "Claude Code session file",
  recognises: (line) =>
    typeof line.sessionId === "string" &&
    (typeof line.isSidechain === "boolean" ||
      line.type === "queue-operation" ||
      line.type === "last-prompt" ||
      ((line.type === "assistant" || line.type === "user") && contentOf(line) !== undefined)),
  needles: [
    // First lines (`"parentUuid":null`) and all lines of sub-agents (`"isSidechain":true`): in the oldest layout they
    // name no
    // agent, so each line is needed to find the agent of the next one; the newest have results without data.
    'uid":n',
    'ain":t',
    // The call that started a sub-agent, and the id in its result.
    'Agent"',
    'Task",',
    "agentI",
    // Calls, by name.
    "TodoW",
    "TaskC",
    "TaskU",
    "TaskL",
    "TaskG",
    ownToolNeedles.claude,
    // Results contain only the id of their call, but their data has names: `newTodos`, `updatedFields`, `"tasks":[`,
    // `"task":{`;
    // a new task has the text "Task #1 created", and a refusal `"is_error":true`.
    "newTod",
    "Task #",
    "Fields",
    'ks":[',
    'sk":{',
    '_error":t',
    // `task_reminder`, `todo_reminder`.
    "_remin",
    // Our own tool's replies, as data and as text.
    ...ownReplyNeedles,
    // The tools of the session, by name: `prompt_snapshot`.
    "_snaps",
  ],
  // In versions whose sub-agents have their own files, only calls and reminders matter.
  quickNeedles: ({ version }) =>
    version && isAtLeast(version, "2.0.37")
      ? { all: ["TaskC", "TaskU", "TaskL", "TaskG", ownToolNeedles.claude, "_snaps"], last: ["TodoW", "_remin"] }
      : undefined,
  // `custom-title`, `ai-title`, and the `summary` of a session that ended.
  // Tool results are user messages too, and make up most of a file.
  promptNeedles: ['er","content":"', 'er","content":[{"type":"te', 'er","content":[{"type":"im'],
  titleNeedles: ['-title","', '"summary","'],
  tellsWork: true,
  open: (from?: unknown, wants?: Wants) => openTranscript(from as Partial<SavedState> | undefined, wants),
} as const satisfies Stream

/** The state of a reader of the later layouts. The chains of the first layout are too long to save. */
type SavedState = {
  made: SeenId[]
  news: NewsSnapshot
  warmUps: string[]
  copies: CopiesSnapshot
  titleKind: number
  others: string[]
}

/** The most calls remembered that may still get a result, or be repeated. */
const remembered = 50

/** Stop reasons after which the agent does not continue by itself. */
const endings: readonly unknown[] = ["end_turn", "stop_sequence", "refusal"]

/** The most summaries of other sessions remembered. */
const mostOthers = 100

/** The titles of a session, in rising precedence: by the client, by a model, by the person. */
const titles = [
  { type: "summary", field: "summary" },
  { type: "ai-title", field: "aiTitle" },
  { type: "custom-title", field: "customTitle" },
]

const openTranscript = (from: Partial<SavedState> = {}, wants: Wants = {}): StreamReader => {
  const work = wants.work ? claudeWork : undefined
  const { made, news, warmUps, copies } = from
  /** The kind of the last title, as an index of the table. */
  let titleKind = from.titleKind ?? 0
  const others = new Set(from.others)
  /** A summary before all messages belongs to another session. It names the last message of that session. */
  const isOfOther = (leaf: string): boolean => {
    if (!copied.hasBegun() && others.size < mostOthers) others.add(leaf)
    return !copied.hasBegun() || others.has(leaf)
  }
  const blocks = createBlocks(claudeTools, askingTools, { calls: made, work })
  const newsAbout = createNews(news)
  const sidechains = createSidechains(warmUps)
  const copied = createCopies(copies)

  const assistant = (line: Fields, speaker: Speaker): Signal[] => {
    const content = contentOf(line)
    for (const { callId, input } of callsOf(content, claudeAgentTools)) {
      sidechains.expect(callId, textOf(fieldsOf(input).prompt) ?? "", orderOf(input))
    }
    const spoken = blocks.spoken(content, speaker)
    if (line.isApiErrorMessage === true) return [...spoken, failedTurn(speaker.agent, wordsOf(content), speaker)]
    const isLast = endings.includes(fieldsOf(line.message).stop_reason)
    return isLast ? [...spoken, activity(speaker.agent, "turn-ended", speaker)] : spoken
  }

  const user = (line: Fields, speaker: Speaker): Signal[] => {
    const content = contentOf(line)
    const data = line.toolUseResult
    const returned = resultsOf(content).flatMap(({ callId }): Signal[] => {
      const id = sidechains.startedBy(callId, textOf(fieldsOf(data).agentId))
      if (id === undefined || id === speaker.agent) return []
      const about = { session: textOf(line.sessionId), ...sidechains.orderOf(callId) }
      const news = newsAbout(id, about, { agent: speaker.agent, callId })
      return isFinal(data) ? [...news, activity(id, "ended", speaker)] : news
    })
    const prompts = [...prompted(line, speaker), ...left(line, speaker)]
    if (prompts.length > 0) blocks.forget(speaker.agent)
    return [...blocks.answered(content, data, speaker), ...blocks.noted(content, speaker), ...returned, ...prompts]
  }

  const titleIn = (line: Fields): string | undefined => {
    const kind = titles.findIndex(({ type }) => type === line.type)
    if (kind < titleKind || (kind === 0 && isOfOther(textOf(line.leafUuid) ?? ""))) return undefined
    const title = nameIn(line[titles[kind]?.field ?? ""])
    if (title !== undefined) titleKind = kind
    return title
  }

  const reader = jsonLines((line) => {
    const found = sidechains.speakerOf(line, () => wordsOf(contentOf(line)))
    if (found === undefined) return []
    const speaker = { agent: found.agent, at: line.timestamp, isCopied: copied.has(line) }
    const title = found.agent === "main" ? titleIn(line) : undefined
    const news = newsAbout(found.agent, { ...factsOf(line), ...found.order, ...known({ title }) }, found.parent)
    if (line.type === "assistant") return [...news, ...assistant(line, speaker)]
    if (line.type === "user") return [...news, ...user(line, speaker)]
    if (line.type === "system") return [...news, ...retried(line, speaker)]
    return [...news, ...(line.type === "attachment" ? attached(fieldsOf(line.attachment), speaker) : [])]
  })
  return {
    ...reader,
    snapshot: (): SavedState => ({
      made: blocks.made(remembered),
      news: newsAbout.snapshot(),
      warmUps: sidechains.warmUps(),
      copies: copied.snapshot(),
      titleKind,
      others: [...others],
    }),
  }
}

/** Recognises that the person has left the session with a command of the client. */
const left = (line: Fields, { agent, at }: Speaker): Signal[] =>
  /^<command-name>\/(?:exit|quit)<\/command-name>/.test(wordsOf(contentOf(line)))
    ? [activity(agent, "ended", { at })]
    : []

/** Recognises a failed request that the client will retry. */
const retried = ({ subtype, error }: Fields, { agent, at }: Speaker): Signal[] =>
  subtype === "api_error" ? [activity(agent, "prompt", { at, error: messageIn(error) })] : []

/** The service's own message, from nested errors in the response. */
const messageIn = (error: unknown, depth = 0): string => {
  const { message, error: inner, status } = fieldsOf(error)
  if (inner !== undefined && depth < 3) return messageIn(inner, depth + 1)
  return textOf(message) ?? (status === undefined ? "A request to the model failed." : `API error ${String(status)}`)
}

const factsOf = (line: Fields) => {
  const model = textOf(fieldsOf(line.message).model)
  const entrypoint = textOf(line.entrypoint)
  return {
    // `claude -p`. Every line names the entry point, because a session may be continued through another one.
    isOneShot: entrypoint === undefined ? undefined : entrypoint === "sdk-cli",
    session: textOf(line.sessionId),
    project: textOf(line.cwd),
    branch: branchIn(line.gitBranch),
    version: textOf(line.version),
    // The members of a team share one list, which has the team's name.
    sharedList: textOf(line.teamName),
    // The client's own messages have a placeholder instead of a model.
    model: model?.startsWith("<") ? undefined : model,
    role: line.isSidechain === true ? nameIn(line.attributionAgent) : undefined,
  }
}

/** `HEAD` means a commit without a branch. */
const branchIn = (value: unknown): string | undefined => {
  const name = nameIn(value)
  return name === "HEAD" ? undefined : name
}

const attached = (attachment: Fields, speaker: Speaker): Signal[] =>
  attachment.type === "prompt_snapshot" ? offered(attachment, speaker) : reminded(attachment, speaker)

/** The names of the tools that the model was offered. */
const offered = ({ tools }: Fields, { agent }: Speaker): Signal[] => {
  const names = objectsOf(tools).flatMap(({ name }) => textOf(name)?.slice(0, 200) ?? [])
  return names.length === 0 ? [] : [{ type: "session", agent, tools: names.slice(0, mostTools) }]
}

const mostTools = 1_000

/** Reads the whole list from a reminder. An empty one is ignored: the client forgets a list when all todos are done. */
const reminded = ({ type, content }: Fields, { agent, at, isCopied = false }: Speaker): Signal[] => {
  const todos = objectsOf(content)
  if (todos.length === 0) return []
  if (type === "task_reminder") return isCopied ? [] : [snapshot("main", "claude-tasks", taskList(todos, at))]
  if (type !== "todo_reminder") return []
  return [snapshot(agent, "claude-todos", { tool: "TodoWrite", input: { todos }, at })]
}
