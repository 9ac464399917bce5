/** The reminders of one agent for a host: it receives every message, and returns the due reminders before a turn. */
import { dataForModel, type Problem, textForModel } from "../plan/index.ts"
import {
  type Attachment,
  type AttachmentBody,
  createAttachment,
  type ReminderMessage,
  reminderMessage,
} from "./attachment.ts"
import { collect } from "./collect.ts"
import { findProfile, findReminder, type Profile, paceFrom, type ReminderId, reminders } from "./reminders/index.ts"
import type { Pace, ReminderRule, Situation } from "./reminders/reminder.ts"
import { type GuidanceTools, listToolNames } from "./tools.ts"
import { counted, countersFrom, forgotten, looked, type TurnCounters, type TurnMessage } from "./turns.ts"

/** A host's own text for a reminder. An empty text leaves the reminder out. */
export type ReminderOverride = string | ((body: AttachmentBody, situation: Situation) => string)

/** The facts of a reminder, and its text. */
export type Generated = { body: AttachmentBody; text: string }

/** A host's own source of reminders. Returns any number of messages. */
export type ReminderGenerator = (
  situation: Situation,
) => Generated | readonly Generated[] | undefined | Promise<Generated | readonly Generated[] | undefined>

export type RemindersOptions = {
  tools: GuidanceTools
  /** @default "quiet" */
  profile?: Profile | undefined
  /** Exactly these reminders, in this order, instead of the profile's. */
  rules?: readonly ReminderId[] | undefined
  /** The agent of this conversation. @default "main" */
  agent?: string | undefined
  pace?: Partial<Pace> | undefined
  overrides?: Partial<Record<ReminderId, ReminderOverride>> | undefined
  /** The host's own reminders by name. They follow those of the profile. */
  generators?: Record<string, ReminderGenerator> | undefined
  /** The last `state` of the same session, possibly from a file. Invalid parts start over. */
  state?: unknown
  now?: (() => Date) | undefined
  newId?: (() => string) | undefined
  /** Called with a reminder that failed. */
  onProblem?: ((problem: Problem) => void) | undefined
}

/** What the host passes before a turn. */
export type BeforeTurn = Omit<Situation, "agent" | "turns" | "now" | "tools" | "pace">

export type DueReminder = { attachment: Attachment; message: ReminderMessage; text: string }

export interface Reminders {
  /**
   * Call it once for every message of the conversation, in order, except those from `due`; and with `{ role:
   * "compaction" }` when earlier messages are dropped.
   */
  saw(message: TurnMessage): void
  /** Returns the reminders due before this turn, in order. They count as given, so add them to the conversation. */
  due(situation: BeforeTurn): Promise<DueReminder[]>
  /** Plain data with which the next process can continue. */
  readonly state: TurnCounters
}

export const createReminders = (options: RemindersOptions): Reminders => {
  const { tools, profile = "quiet", agent = "main", now = () => new Date(), newId, onProblem } = options
  const { tag, rules: usual } = findProfile(profile)
  const pace = paceFrom(options.pace)
  for (const id of Object.keys(options.overrides ?? {})) findReminder(id)
  const active = (options.rules ?? usual).map(findReminder).filter((rule) => !rule.needsListTool || hasTool(tools))
  let turns = countersFrom(options.state)
  const saw = (message: TurnMessage): void => {
    turns = counted(turns, message, options)
  }

  const say = (rule: ReminderRule, situation: Situation): Saying | undefined => {
    const facts = rule.due(situation)
    if (!facts) return undefined
    const body = dataForModel(facts)
    const override = options.overrides?.[rule.id as ReminderId]
    const text = typeof override === "function" ? override(body, situation) : (override ?? rule.text(body, tools))
    return text === "" ? undefined : { body, text, tellsList: rule.tellsList ?? false }
  }

  return {
    saw,
    due: async (before) => {
      turns = looked(before.planMode ? turns : forgotten(turns, reminders["plan-mode"].type), before.plan)
      const situation: Situation = { ...before, agent, turns, now: now(), tools, pace }
      const own = active.map((rule) => [rule.id, () => say(rule, situation)] as const)
      const hosts = Object.entries(options.generators ?? {}).map(([name, ask]) => [name, () => ask(situation)] as const)
      const sayings = await collect<Saying | readonly Saying[]>([...own, ...hosts], onProblem)
      return sayings.flat().map(({ tellsList, ...reminder }) => {
        // Texts and facts of a host are made safe like ours.
        const attachment = createAttachment(reminder.body, { now: () => situation.now, ...(newId ? { newId } : {}) })
        const text = textForModel(reminder.text)
        const { type } = attachment.attachment
        saw({ role: "reminder", reminder: type, revision: tellsList ? before.plan.revision : undefined })
        return { attachment, message: reminderMessage(attachment, text, tag), text }
      })
    },
    get state() {
      return turns
    },
  }
}

/**
 * What a tracker knows before a turn. Asks it for a person's edits first, because that also reads what others wrote.
 */
export const beforeTurn = async (
  tracker: Pick<BeforeTurn, "plan" | "ledger" | "failure"> & { tellAgent(): Promise<string | undefined> },
  more: Pick<BeforeTurn, "restored" | "planMode"> = {},
): Promise<BeforeTurn> => {
  const edits = await tracker.tellAgent()
  return { plan: tracker.plan, ledger: tracker.ledger, failure: tracker.failure, edits, ...more }
}

type Saying = Generated & { tellsList?: boolean }

const hasTool = (tools: GuidanceTools): boolean => listToolNames(tools).length > 0
