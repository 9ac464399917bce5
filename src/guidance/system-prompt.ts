/** The system prompt's sections about the list tool, which a host can place, reword or leave out. */
import { HeadwayError } from "../plan/index.ts"
import { type GuidanceTools, spokenListTools } from "./tools.ts"

/** No guidance, the few rules that change behaviour, or all of it. */
export const guidanceLevels = ["off", "quiet", "full"] as const
export type GuidanceLevel = (typeof guidanceLevels)[number]

export const systemPromptSectionNames = ["taskManagement", "doingTasks", "closing", "commit", "pullRequest"] as const
export type SystemPromptSectionName = (typeof systemPromptSectionNames)[number]

export type SystemPromptSections = Record<SystemPromptSectionName, string>

/** The tools as named in a sentence: "TodoWrite", or "TaskCreate and TaskUpdate". */
export type SystemPromptTools = Pick<GuidanceTools, "subagent"> & { list: string }

/** A host's own text. An empty text leaves the section out. */
export type SystemPromptOverride = string | ((tools: SystemPromptTools) => string)

export type SystemPromptOptions = {
  /** Without `list`, the tool is not available and not mentioned. */
  tools: GuidanceTools
  /** @default "quiet" */
  level?: GuidanceLevel | undefined
  /** Replaces our texts at `quiet` and `full`. At `off` there is no text. */
  overrides?: Partial<Record<SystemPromptSectionName, SystemPromptOverride>> | undefined
}

export const systemPromptSections = (options: SystemPromptOptions): SystemPromptSections => {
  const { tools, level = "quiet", overrides = {} } = options
  const unknown = Object.keys(overrides).find((name) => !systemPromptSectionNames.some((known) => known === name))
  if (unknown !== undefined) {
    const names = systemPromptSectionNames.join(", ")
    throw new HeadwayError("unknown-section", `There is no section "${unknown}". The sections are: ${names}.`)
  }
  const named = { list: spokenListTools(tools), subagent: tools.subagent }
  if (named.list === "" || level === "off") return { ...silence }
  const say = (name: SystemPromptSectionName): string => {
    const wording = overrides[name] ?? wordings[level][name]
    return typeof wording === "string" ? wording : wording(named)
  }
  return {
    taskManagement: say("taskManagement"),
    doingTasks: say("doingTasks"),
    closing: say("closing"),
    commit: say("commit"),
    pullRequest: say("pullRequest"),
  }
}

/** All sections in order, for hosts that do not place them one by one. */
export const systemPrompt = (options: SystemPromptOptions): string => {
  const sections = systemPromptSections(options)
  return systemPromptSectionNames
    .map((name) => sections[name])
    .filter((text) => text !== "")
    .join("\n\n")
}

const silence: SystemPromptSections = { taskManagement: "", doingTasks: "", closing: "", commit: "", pullRequest: "" }

type Wording = Record<SystemPromptSectionName, (tools: SystemPromptTools) => string>

/** The tool's own description says when to use it and when not. This repeats only the most important rules. */
const quiet: Wording = {
  taskManagement: ({ list, subagent }) =>
    [
      `Plan work of three or more steps with ${list}, where the user sees it.`,
      ...(subagent ? [`Work given to ${subagent} is done when its result is back.`] : []),
    ].join("\n"),
  doingTasks: ({ list }) => `Longer work: look around, then plan with ${list}.`,
  closing: ({ list }) => `Keep your plan current with ${list}.`,
  commit: (tools) => `Leave ${both(tools, "and")} out of commits.`,
  pullRequest: (tools) => `Leave ${both(tools, "and")} out of pull requests.`,
}

const full: Wording = {
  taskManagement: ({ list, subagent }) =>
    [
      "# Managing the work",
      "",
      `The plan you keep with ${list} is your memory when the work gets long, and the user's view of it. Use it very`,
      "often and without being asked: a plan that is kept up to date makes sure that nothing that was asked for is lost.",
      "Before larger work break it into small, clearly named steps; what is not written down gets forgotten.",
      "Say that a step is in progress before you begin it and that it is done as soon as it is, one by one.",
      "Done means that it works: with failing tests, missing parts or open errors a step stays open.",
      ...(subagent
        ? [`A step you hand to a sub-agent with ${subagent} is done when the result is back and you have checked it.`]
        : []),
      "",
      "Example 1",
      "Asked: Two customers say that the tax on their invoices is a cent off. Please repair that.",
      `You: read the invoice code, then plan with ${list}: turn both invoices into failing tests; find where`,
      "rounding goes wrong; repair it; look for the same rounding elsewhere; see the whole suite pass. You begin the",
      "first and say so. The search turns up the credit notes, which become one more step.",
      "Why: the order protects the repair, and the user can tell at any moment what is proven and what is still open.",
      "",
      "Example 2",
      "Asked: Readers should be able to follow an author and get a weekly letter with what is new.",
      `You: read how authors and letters are modelled today, then plan with ${list}: store who follows whom; a`,
      "follow button; collect the week's articles; compose and send the letter; a way to unsubscribe; tests for all of",
      "it. While composing the letter you find that authors have no time zone: you add a step for that and go on.",
      "Why: reading came before planning, and what turned up on the way went into the plan and was not forgotten.",
    ].join("\n"),
  doingTasks: ({ list }) =>
    `When a job needs more than a couple of steps, plan it with ${list} before you change anything.`,
  closing: ({ list }) =>
    `Remember: keep the plan current with ${list} through the whole job, from the outline to the last step done.`,
  commit: (tools) => `While you prepare and make a commit, do not use ${both(tools, "or")}.`,
  pullRequest: (tools) => `While you prepare and open a pull request, do not use ${both(tools, "or")}.`,
}

/** The list tools, and the tool that starts a sub-agent, if there is one. */
const both = ({ list, subagent }: SystemPromptTools, word: "and" | "or"): string =>
  subagent ? `${list} ${word} ${subagent}` : list

const wordings: Record<Exclude<GuidanceLevel, "off">, Wording> = { quiet, full }
