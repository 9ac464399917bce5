/** The Agent Trajectory Interchange Format: one document with the steps of any agent, each call with its result. */
import { dialects } from "../../dialects/index.ts"
import { emptyPlan, hasErrors } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  type Fields,
  fieldsOf,
  jsonLines,
  known,
  message,
  objectsOf,
  seenCall,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { isRefusal, wordsOf } from "../blocks.ts"
import { codeIn, commonResult, commonTools } from "../common-tools.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"

export const atif = {
  id: "atif",
  agentType: "atif",
  title: "ATIF trajectory",
  isDocument: true,
  recognises: ({ schema_version, steps }) =>
    typeof schema_version === "string" && schema_version.startsWith("ATIF-") && Array.isArray(steps),
  needles: ["schema_version"],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const work = createWork(wants?.work ? commonTools : undefined)
    return jsonLines((document) => readTrajectory(document, work))
  },
} satisfies Stream

type Work = ReturnType<typeof createWork>

const readTrajectory = ({ session_id, agent, steps }: Fields, work: Work): Signal[] => {
  const session = textOf(session_id)
  const { version, model_name } = fieldsOf(agent)
  const about = known({ session, version: textOf(version), model: textOf(model_name) })
  const all = objectsOf(steps)
  // The document is written when the work is over.
  const end = activity("main", "ended", { at: all.at(-1)?.timestamp })
  return [{ type: "session", ...about }, ...all.flatMap((step) => readStep(step, session, work)), end]
}

const readStep = (step: Fields, session: string | undefined, work: Work): Signal[] => {
  const at = step.timestamp
  if (step.source === "user") return [activity("main", "prompt", { at })]
  if (step.source !== "agent") return []
  const words = message("main", wordsOf(step.message))
  const answers = answersIn(step)
  return [
    ...(words.length > 0 ? [activity("main", "text", { at }), ...words] : []),
    ...objectsOf(step.tool_calls).flatMap((call) => readCall(call, { at, answers, session, work })),
  ]
}

type Answer = { ok: boolean; result: unknown; text: string }

type Context = { at: unknown; answers: ReadonlyMap<unknown, Answer>; session: string | undefined; work: Work }

const readCall = (call: Fields, context: Context): Signal[] => {
  const { at, answers, session } = context
  const { tool_call_id: id, function_name: name, arguments: input } = call
  const callId = textOf(id)
  const list = listTool(name, input)
  if (!list || callId === undefined)
    return [
      ...worked("main", { tool: name, input, at }),
      ...workIn({ callId, tool: textOf(name) ?? "", input }, context),
    ]
  const seen = seenCall("main", list.dialect, { tool: list.tool, input, callId, at, session })
  const answer = answers.get(callId)
  return answer ? [seen, { type: "result", callId, ok: answer.ok, result: answer.result }] : [seen]
}

/** Harnesses that record an exit code do so in their agent's own format. */
const workIn = (call: { callId: string | undefined; tool: string; input: unknown }, context: Context): Signal[] => {
  const { work, answers, at } = context
  if (!work.isWanted) return []
  const answer = answers.get(call.callId)
  const began = work.began("main", { ...call, at })
  if (!answer || call.callId === undefined) return began
  const code = codeIn(/\b(?:exit code|exited with code|exit status):? (\d{1,3})\b/i, answer.text.slice(0, 200))
  return [...began, ...work.ended("main", call.callId, commonResult(answer.text, { code, isError: !answer.ok }), at)]
}

/** The results by call id. The first one for an id counts, and is used once, even if several calls have the id. */
const answersIn = (step: Fields): Map<unknown, Answer> => {
  const answers = new Map<unknown, Answer>()
  for (const answer of objectsOf(fieldsOf(step.observation).results)) {
    if (answers.has(answer.source_call_id)) continue
    const text = wordsOf(answer.content)
    const ok = !isRefusal(text) && !isFailed(answer, text) && !isFailed(step, text)
    answers.set(answer.source_call_id, { ok, result: dataIn(text) ?? text, text })
  }
  return answers
}

/** The list tool of that name in any agent. If several have the name, the first dialect that can read the call. */
const listTool = (name: unknown, input: unknown): OwnTool | undefined => {
  const tool = textOf(name)
  if (tool === undefined) return undefined
  const speaking = Object.values(dialects).filter(({ toolNames }) => toolNames.some((one) => one === tool))
  const isRead = ({ decode }: (typeof speaking)[number]): boolean =>
    !hasErrors(decode({ tool, input, observed: true }, emptyPlan).problems)
  const found = speaking.find(isRead) ?? speaking[0]
  return found ? { dialect: found.id, tool } : ownTool(tool)
}

/** The format has no field for a failed call; harnesses record it next to the result, or in its last line. */
const isFailed = ({ extra, error }: Fields, text: string): boolean => {
  const { is_error, tool_result_is_error, status } = fieldsOf(extra)
  return (
    is_error === true ||
    tool_result_is_error === true ||
    ["error", "failed", "failure"].includes(String(status)) ||
    Boolean(error) ||
    /^\[error\] /m.test(text)
  )
}

/** The data that a tool returned in addition to its text; harnesses append it to the text. */
const dataIn = (text: string): Fields | undefined => {
  const data = /^\[metadata\] (?<json>\{.*\})$/m.exec(text)?.groups?.json
  const value = data === undefined ? undefined : parseJson(data)
  return isRecord(value) ? value : undefined
}
