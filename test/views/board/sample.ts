/** Sessions the board tests draw: a busy morning with agents of several vendors, and a builder for others. */

import { progressOf } from "../../../src/plan/progress.ts"
import type { BoardSession } from "../../../src/views/board/session.ts"
import { planOf } from "../sample.ts"

export const noon = new Date("2026-11-15T12:00:00.000Z")

/** So many minutes before noon. */
export const ago = (minutes: number): string => new Date(noon.getTime() - minutes * 60_000).toISOString()

export const boardSession = (given: Partial<BoardSession> & { key: string }): BoardSession => ({
  agentType: "claude-code",
  session: given.key,
  agent: "main",
  project: "web-shop",
  state: "working",
  planTool: "present",
  updated: ago(0),
  progress: progressOf(given.plan ?? { todos: [] }),
  todos: given.plan?.todos.length ?? 0,
  isEditable: true,
  version: 0,
  ...given,
})

export const shopPlan = planOf(
  [
    { content: "Read how orders are stored today", status: "completed", phase: "Find out" },
    { content: "Write down what the new table needs", status: "completed", phase: "Find out", notes: ["see ADR 12"] },
    {
      content: "Write the migration, with a way back that keeps every order that came in meanwhile",
      status: "in_progress",
      activeForm: "Writing the migration",
      phase: "Build",
      notes: ["the old column stays for one release", "ask about the nightly job"],
    },
    { content: "Run the tests against a copy of production", status: "pending", phase: "Build" },
    {
      content: "Deploy to staging",
      status: "blocked",
      phase: "Ship",
      reason: "no access to the cluster",
      waitsFor: "Ada",
    },
    { content: "Send a mail to everybody", status: "cancelled", phase: "Ship", reason: "out of scope" },
    { content: "Announce it", status: "pending", phase: "Ship", description: "In the channel, with the date." },
  ],
  ["Find out", "Build", "Ship"],
)

export const shop = boardSession({
  key: "claude:550206c9",
  session: "550206c9-ad53-4a5f-ba9b-dc6fab035f1d",
  title: "Move the orders to a new table",
  agentName: "Claude Code",
  agentShortName: "claude",
  project: "~/code/web-shop",
  plan: shopPlan,
  current: "Writing the migration",
  times: {
    "1": { started: ago(25), finished: ago(21) },
    "2": { started: ago(21), finished: ago(9) },
    "3": { started: ago(9) },
  },
})

export const explorer = boardSession({
  key: "claude:550206c9/explore",
  session: shop.session,
  agent: "a3b22d34f61719c9b",
  role: "explore",
  title: "Who reads the orders",
  agentName: "Claude Code",
  agentShortName: "claude",
  project: shop.project,
  parent: shop.key,
  plan: planOf([
    { content: "Find every query on the orders table", status: "completed" },
    { content: "List who calls them", status: "in_progress" },
  ]),
  current: "Listing who calls them",
  times: { "1": { started: ago(3), finished: ago(2) }, "2": { started: ago(2) } },
})

export const waiting = boardSession({
  key: "codex:01a1e08b",
  agentType: "openai-codex",
  session: "01a1e08b-8b66-7c81-9dcf-24706e85f08d",
  title: "Checkout page",
  agentName: "Codex",
  agentShortName: "codex",
  project: shop.project,
  state: "waiting",
  waitsFor: { kind: "question", text: "Which provider shall I use, and do we have an account there?" },
  updated: ago(4),
  plan: planOf([
    { content: "Sketch the checkout page", status: "completed" },
    { content: "Choose a payment provider", status: "in_progress" },
    { content: "Build it", status: "pending" },
    { content: "Test it with a real card", status: "pending" },
  ]),
})

export const stalled = boardSession({
  key: "gemini:904ea9a7",
  agentType: "google-gemini",
  session: "904ea9a7-591e-4f4f-8997-6e172cf18704",
  title: "Upgrade the framework",
  agentName: "Gemini CLI",
  agentShortName: "gemini",
  project: "api",
  state: "stalled",
  updated: ago(25),
  plan: planOf([
    { content: "Upgrade the framework", status: "in_progress" },
    { content: "Mend what breaks", status: "pending" },
  ]),
})

export const finished = boardSession({
  key: "opencode:ses_1",
  agentType: "opencode",
  session: "ses_1",
  project: "api",
  state: "finished",
  updated: ago(180),
  isEditable: false,
  plan: planOf([{ content: "Rename the flag", status: "completed" }]),
})

export const toolless = boardSession({
  key: "claude:8c424508",
  session: "8c424508-9bac-4084-81ce-67d6c4ac9f99",
  project: "docs",
  state: "idle",
  planTool: "absent",
  updated: ago(60 * 26),
})

export const morning: readonly BoardSession[] = [toolless, finished, stalled, waiting, explorer, shop]
