/**
 * The schemas of all requests and replies of the JSON API: they validate requests, and the OpenAPI description and the
 * page's types are derived from them.
 */
import { z } from "zod"
import { evidenceWords } from "../plan/evidence-word.ts"
import { priorities, todoStatuses } from "../plan/todo.ts"

/** Longer texts are rejected before any processing. */
const mostCharacters = 20_000

const text = z.string().max(mostCharacters)
const time = z.string().describe("A time in ISO form.")

export const rowSchema = z
  .object({
    key: z.string().describe("Identifies this agent of this session for as long as the server runs."),
    session: z.string(),
    agent: z.string().describe("`main`, or the id of a sub-agent."),
    agentType: z.string(),
    agentName: z.string().describe("The agent's display name."),
    parent: z.string().optional().describe("The key of the agent that this sub-agent works for."),
    project: z.string().describe("The folder in which the agent works, shortened for people."),
    branch: z.string().optional().describe("The branch of the repository, if the session names one."),
    title: z.string().optional().describe("The session's title."),
    role: z.string().optional().describe("The kind of sub-agent."),
    who: z
      .string()
      .optional()
      .describe("In a shared store: PERSON@MACHINE, the person the agent works for and the machine it runs on."),
    state: z.enum(["working", "waiting", "stalled", "ended", "finished", "failed", "idle"]),
    waitsFor: z
      .object({ kind: z.enum(["permission", "question", "turn"]), text: z.string().optional() })
      .optional()
      .describe("With `waiting`: what the agent waits for."),
    error: z.string().optional().describe("With `failed`: the error."),
    planTool: z.enum(["present", "absent", "unknown"]),
    updated: time.describe("Last activity, in ISO form."),
    progress: z.object({ completed: z.number(), total: z.number(), percent: z.number() }),
    todos: z.number(),
    contradicted: z
      .number()
      .optional()
      .describe("How many todos are marked done although the last check failed, if known."),
    current: z.string().optional().describe("The text of the todo in progress."),
    upcoming: z
      .object({ kind: z.enum(["next", "blocked"]), content: z.string() })
      .optional()
      .describe("The next todo, if none is in progress."),
    currentSince: time.optional().describe("When `current` was begun, if known."),
    isEditable: z.boolean(),
    canOpen: z.boolean().describe("Whether there is a command that resumes the session."),
    version: z.number().describe("Changes whenever the row, or the plan behind it, may have changed."),
  })
  .meta({ id: "Row" })

export const todoSchema = z
  .object({
    id: z.string(),
    content: z.string(),
    status: z.enum(todoStatuses),
    activeForm: z.string().optional(),
    phase: z.string().optional(),
    notes: z.array(z.string()).optional(),
    description: z.string().optional(),
    priority: z.enum(priorities).optional(),
    blockedBy: z.array(z.string()).optional(),
    owner: z.string().optional(),
    reason: z.string().optional(),
    waitsFor: z.string().optional(),
  })
  .meta({ id: "Todo" })

export const planSchema = z
  .object({ todos: z.array(todoSchema), phases: z.array(z.string()), revision: z.number() })
  .meta({ id: "Plan" })

const timesSchema = z
  .record(z.string(), z.object({ started: time.optional(), finished: time.optional() }))
  .describe("When each todo was begun and finished, by todo id, as far as known.")

export const doneMarkSchema = z
  .object({
    word: z.enum(evidenceWords),
    isStale: z
      .literal(true)
      .optional()
      .describe("A check that the person set has passed, but files have changed since."),
    expectsNoEdit: z.literal(true).optional().describe("The todo's text does not call for an edit."),
    sentences: z.array(z.string()).describe("The facts, with the lines of the session they come from."),
  })
  .meta({ id: "DoneMark" })

/** All sessions, and the position from which `/api/events` continues. */
export const boardSchema = z
  .object({
    cursor: z.string(),
    notice: z.string().optional().describe("What currently cannot be read or followed."),
    rows: z.array(rowSchema),
  })
  .meta({ id: "Board" })

/** The data of one event of `/api/events`. `rows` are in no particular order: the page sorts them. */
export const changeSchema = z
  .object({
    rows: z.array(rowSchema).describe("Rows that are new or have changed."),
    gone: z.array(z.string()).describe("The keys of rows that were removed."),
    notice: z.string().optional(),
    isWhole: z.boolean().describe("Whether these are all rows. The reader then discards all others."),
  })
  .meta({ id: "Change" })

export const sessionSchema = z
  .object({
    row: rowSchema,
    plan: planSchema.optional(),
    times: timesSchema,
    marks: z
      .record(z.string(), doneMarkSchema)
      .optional()
      .describe("The evidence for done todos, by todo id. Absent if unknown, or not known yet."),
    unheard: z
      .object({ untold: z.array(z.string()), against: z.array(z.string()), hearing: z.string() })
      .optional()
      .describe("Changes that the agent has not been told about, and a sentence about when it will be."),
    hearing: z.string().optional().describe("A sentence about when the agent sees a person's changes."),
    connect: z.string().optional().describe("The command that connects the agent, if it is not connected."),
    resume: z
      .object({ command: z.string(), folder: z.string() })
      .optional()
      .describe("A shell command, fully quoted, that changes into the folder and resumes the session."),
  })
  .meta({ id: "Session" })

export const historySchema = z
  .object({
    entries: z.array(
      z.object({
        id: z.string(),
        at: time,
        by: z.enum(["person", "agent", "system", "other"]),
        name: z.string().describe("Who made the change, for people: the agent's name, or `You`."),
        lines: z.array(z.string()).describe("What the entry changed, in words."),
        isTold: z.boolean().optional().describe("For a person's change: whether the agent has been told."),
      }),
    ),
    spans: z
      .array(
        z.object({
          todo: z.string(),
          content: z.string(),
          status: z.enum(todoStatuses),
          from: time,
          to: time.optional(),
        }),
      )
      .describe("When each todo was in progress or blocked: the bars of the timeline. Without `to`, it still is."),
  })
  .meta({ id: "History" })

/** The plan after an entry, for a replay. */
export const momentSchema = z.object({ at: time, plan: planSchema }).meta({ id: "Moment" })

const todo = z.string().max(200)
const reason = text.optional()

export const editSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.enum(["toggle", "start", "remove"]), todo }),
    z.object({ kind: z.literal("add"), content: text, after: todo.optional() }),
    z.object({ kind: z.literal("drop"), todo, reason }),
    z.object({ kind: z.literal("block"), todo, reason }),
    z.object({ kind: z.enum(["note", "answer"]), todo, text }),
    z.object({ kind: z.literal("reword"), todo, content: text }),
    z.object({ kind: z.literal("move"), todo, by: z.union([z.literal(-1), z.literal(1)]) }),
    z
      .object({ kind: z.literal("place"), todo, after: todo.optional(), phase: text.optional() })
      .describe(
        "Moves the todo after another one and into its phase; without `after`, to the start of a phase, or of the plan.",
      ),
    z
      .object({ kind: z.literal("undo"), entry: z.string().min(1).max(200).optional() })
      .describe("Undoes the edit with this entry id; without one, the person's last edit."),
    z.object({ kind: z.literal("redo") }),
    z.object({ kind: z.literal("rename"), title: text }),
  ])
  .meta({ id: "Edit" })

export const editRequestSchema = z
  .object({
    edit: editSchema,
    seen: z
      .array(z.object({ id: z.string(), content: text, status: z.enum(todoStatuses) }))
      .max(50)
      .optional()
      .describe(
        "The todos that the edit names, as the page showed them. A todo that has changed since is left unchanged.",
      ),
  })
  .meta({ id: "EditRequest" })

export const editReplySchema = z
  .object({
    outcome: z.enum(["changed", "unchanged", "refused"]),
    message: z.string().describe("One line that says what happened, or why nothing did."),
    entry: z
      .string()
      .optional()
      .describe("The id of the entry that records the edit. An undo with this id undoes only this edit."),
  })
  .meta({ id: "EditReply" })

export const openReplySchema = z.object({ isOpened: z.boolean(), message: z.string() }).meta({ id: "OpenReply" })

export const foundSchema = z
  .object({ found: z.array(z.object({ key: z.string(), text: z.string() })) })
  .describe("Sessions that contain all words, the best match first, each with the text around the words.")
  .meta({ id: "Found" })

export const deviceSchema = z
  .object({ id: z.string(), name: z.string(), paired: time, seen: time.optional(), isThis: z.boolean() })
  .meta({ id: "Device" })

export const devicesSchema = z.object({ devices: z.array(deviceSchema) }).meta({ id: "Devices" })

export const pairRequestSchema = z
  .object({ code: z.string().max(100).describe("The code in the address that `headway serve` shows as a QR code.") })
  .meta({ id: "PairRequest" })

export const pairReplySchema = z
  .object({ name: z.string().describe("The name of the device.") })
  .meta({ id: "PairReply" })

/** An address that pairs one device, for the owner to show. */
export const inviteSchema = z.object({ address: z.string(), expires: time }).meta({ id: "Invite" })

/** The reply to every refused request. */
export const errorSchema = z
  .object({ error: z.object({ code: z.string(), message: z.string() }) })
  .meta({ id: "Error" })

export type Row = z.infer<typeof rowSchema>
export type PageTodo = z.infer<typeof todoSchema>
export type PagePlan = z.infer<typeof planSchema>
export type BoardReply = z.infer<typeof boardSchema>
export type Change = z.infer<typeof changeSchema>
export type SessionReply = z.infer<typeof sessionSchema>
export type HistoryReply = z.infer<typeof historySchema>
export type Moment = z.infer<typeof momentSchema>
export type Edit = z.infer<typeof editSchema>
export type EditRequest = z.infer<typeof editRequestSchema>
export type EditReply = z.infer<typeof editReplySchema>
export type OpenReply = z.infer<typeof openReplySchema>
export type Found = z.infer<typeof foundSchema>
export type Invite = z.infer<typeof inviteSchema>
export type Devices = z.infer<typeof devicesSchema>
