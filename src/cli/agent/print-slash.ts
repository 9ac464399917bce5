/** Runs a slash command without a screen (`headway agent --print /todos`). Nothing of it is sent to the model. */
import type { Tracker } from "../../tracker/tracker.ts"
import { findKeptPlan, findNewestKept } from "../choose/named-plan.ts"
import { namedSession } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import { printJsonLine } from "../output/plan-json.ts"
import type { AgentSettings } from "./options.ts"
import { openEarlierSession } from "./session.ts"
import { runSlash } from "./slash.ts"

/** Of the session that is resumed or named, else of this project's newest; nothing is begun for it. 0 when it was done. */
export const printSlash = async (context: Context, settings: AgentSettings, line: string): Promise<number> => {
  const { io } = context
  const { signal } = new AbortController()
  const {
    text,
    lines,
    isError = false,
  } = await runSlash(line, { ...(await planOf(context, settings)), context, signal })
  if (settings.format === "stream-json") io.out(printJsonLine({ type: "command", command: line, text, isError }))
  else if (isError) io.err(`${text}\n`)
  else if (text !== "") io.out(lines ?? `${text}\n`)
  return isError ? 1 : 0
}

type Found = { tracker?: Tracker; dialect?: string }

const planOf = async (context: Context, { resume, dialect }: AgentSettings): Promise<Found> => {
  if (resume !== undefined) {
    const { tracker, header } = await openEarlierSession(context, resume)
    return { tracker, dialect: header.dialect }
  }
  const tracker = await (namedSession(context) === undefined ? findNewestKept(context) : findKeptPlan(context))
  return { ...(tracker ? { tracker } : {}), ...(dialect === undefined ? {} : { dialect }) }
}
