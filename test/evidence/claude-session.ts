/** A session of Claude Code, written step by step, and the evidence in it. */
import { loadStream } from "../../src/agents/index.ts"
import type { Evidence } from "../../src/evidence/index.ts"
import { createEvidenceReader } from "../../src/sessions/evidence/evidence-reader.ts"

export type Step =
  | { todos: Record<string, "pending" | "in_progress" | "completed"> }
  | { edit: string; fails?: true }
  | { run: string; prints?: string; fails?: true; code?: number; refused?: true; background?: string; never?: string }
  | { hears: string; prints?: string; code?: number }
  | { uses: string; input?: object }
  | { delegates: string; agent?: string; does?: readonly Step[] }

export const claudeLines = (steps: readonly Step[]): string[] => {
  const lines: object[] = []
  let count = 0
  const about = { sessionId: "s1", isSidechain: false, cwd: "/shop", version: "2.1.0" }
  const call = (name: string, input: object, result: object, data?: object, who: object = about): string => {
    count += 1
    const id = `toolu_${count}`
    const message = { role: "assistant", content: [{ type: "tool_use", id, name, input }] }
    lines.push({ ...who, type: "assistant", uuid: `a${count}`, parentUuid: "p", message })
    const answer = { role: "user", content: [{ type: "tool_result", tool_use_id: id, ...result }] }
    lines.push({ ...who, type: "user", uuid: `u${count}`, parentUuid: "p", message: answer, toolUseResult: data })
    return id
  }
  const take = (step: Step, who: object): void => {
    if ("todos" in step) {
      const todos = Object.entries(step.todos).map(([content, status]) => ({ content, status, activeForm: content }))
      call("TodoWrite", { todos }, { content: "Todos have been modified successfully" }, { newTodos: todos }, who)
    } else if ("edit" in step) {
      call("Edit", { file_path: step.edit }, { content: "done", is_error: step.fails === true }, undefined, who)
    } else if ("run" in step) {
      const { prints = "", fails, code = 1, refused, background, never } = step
      if (refused)
        call(
          "Bash",
          { command: step.run },
          { content: "The user doesn't want to proceed with this tool use.", is_error: true },
          undefined,
          who,
        )
      else if (background !== undefined)
        call(
          "Bash",
          { command: step.run, run_in_background: true },
          { content: `Command running in background with ID: ${background}` },
          { stdout: "", stderr: "", backgroundTaskId: background },
          who,
        )
      // The client says why it did not even call the tool.
      else if (never !== undefined)
        call("Bash", { command: step.run }, { content: never, is_error: true }, undefined, who)
      else if (fails)
        call("Bash", { command: step.run }, { content: `Exit code ${code}\n${prints}`, is_error: true }, undefined, who)
      else
        call(
          "Bash",
          { command: step.run },
          { content: prints, is_error: false },
          { stdout: prints, stderr: "", interrupted: false },
          who,
        )
    } else if ("hears" in step) {
      const text = `<retrieval_status>success</retrieval_status>\n<task_id>${step.hears}</task_id>\n<status>completed</status>\n<exit_code>${step.code ?? 0}</exit_code>\n<output>\n${step.prints ?? ""}\n</output>`
      call("TaskOutput", { task_id: step.hears }, { content: text }, undefined, who)
    } else if ("uses" in step) call(step.uses, step.input ?? {}, { content: "done" }, undefined, who)
    else {
      const { delegates, agent, does = [] } = step
      const result = { content: [{ type: "text", text: "All done." }] }
      call(
        "Agent",
        { description: delegates, prompt: delegates },
        result,
        agent === undefined ? undefined : { status: "completed", agentId: agent },
        who,
      )
      for (const one of does) take(one, { ...about, isSidechain: true, agentId: agent })
    }
  }
  for (const step of steps) take(step, about)
  return lines.map((line) => JSON.stringify(line))
}

export const evidenceIn = async (steps: readonly Step[]): Promise<Evidence> => {
  const stream = await loadStream("claude-transcript")
  const reader = createEvidenceReader(stream ? [stream] : [])
  for (const line of claudeLines(steps)) reader.push(Buffer.from(`${line}\n`))
  reader.end()
  return reader.evidence()
}

/** One todo that is begun, worked on by these steps, and ticked off. */
export const around = (content: string, steps: readonly Step[]): Step[] => [
  { todos: { [content]: "in_progress" } },
  ...steps,
  { todos: { [content]: "completed" } },
]

export const wordOf = async (content: string, steps: readonly Step[]): Promise<string | undefined> =>
  (await evidenceIn(around(content, steps))).todos[0]?.word
