/** Records the state of our own agent, as the hooks of other agents do: working, asking or done. */
import { type Client, type ClientReport, noteClient } from "../../home/processes/clients.ts"
import { processesHere } from "../../home/processes/processes.ts"
import { oneLine } from "../../plan/text/one-line.ts"
import type { Agent, AgentOptions, Ending } from "../../reference-agent/index.ts"

export type StateNotes = {
  /** Notes that the person is asked, for as long as they are. */
  asking<Asked extends Pick<AgentOptions, "permit" | "confirm">>(asked: Asked): Asked
  /** Notes how each piece of work ends. */
  working(agent: Agent): Agent
}

export type StateNotesOptions = { home: string; agentType: string; session: string; now: () => Date }

/** Nothing depends on these notes: one that cannot be written is left out. */
export const openStateNotes = async ({ home, agentType, session, now }: StateNotesOptions): Promise<StateNotes> => {
  const start = processesHere()?.find(process.pid)?.start
  const client: Client = { agentType, process: start === undefined ? undefined : { pid: process.pid, start } }
  let noted: Promise<unknown> = Promise.resolve()
  const note = (told?: Omit<ClientReport, "at">): Promise<unknown> => {
    const what = { session, through: "hook", isCurrent: true, ...(told ? { told } : {}) } as const
    noted = noted.then(() => noteClient(home, client, what, now())).catch(() => {})
    return noted
  }
  const during = async <Reply>(told: Omit<ClientReport, "at">, ask: () => Promise<Reply>): Promise<Reply> => {
    void note(told)
    try {
      return await ask()
    } finally {
      void note()
    }
  }
  await note()

  return {
    asking: (asked) => ({
      ...asked,
      permit: (permission, by) =>
        during({ kind: "permission", agent: "main", text: oneLine(permission.question) }, () =>
          asked.permit(permission, by),
        ),
      confirm: (question, detail, by) =>
        during({ kind: "question", agent: "main", text: oneLine(question) }, () => asked.confirm(question, detail, by)),
    }),
    working: (agent) => ({
      ...agent,
      async run(prompt, signal) {
        await note()
        const result = await agent.run(prompt, signal)
        await note(endOf(result))
        return result
      },
    }),
  }
}

const endOf = ({ ending, text }: { ending: Ending; text: string }): Omit<ClientReport, "at"> =>
  ending === "failed" ? { kind: "failed", agent: "main", text: oneLine(text) } : { kind: "stopped", agent: "main" }
