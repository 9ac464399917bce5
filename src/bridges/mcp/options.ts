/** What the MCP server needs to know of its host. */
import type { HostOptions } from "../../host/options.ts"
import type { PlanKey, PlanSummary } from "../../stores/store.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Caller } from "../calls/caller.ts"

/** The host options that apply to MCP, which has no reminders. */
export type McpToolOptions = Pick<
  HostOptions,
  "dialect" | "tool" | "names" | "level" | "overrides" | "strict" | "loadMode" | "subagent" | "system"
>

/** `madeAt`: when the agent made the call. What it was told after that, it did not know. */
type NotedCaller = Pick<Caller, "session" | "agent" | "folder"> & { madeAt?: string | undefined }

export type McpOptions = McpToolOptions & {
  version: string
  env: Readonly<Record<string, string | undefined>>
  /** The caller of a call, if better known than from the client. */
  whose?: ((callId: string) => NotedCaller | undefined) | undefined
  /** The caller's plan, started if there is none; with the call that is about to change it. */
  planFor: (caller: Caller, call?: { tool: string; input: unknown }) => Promise<Tracker>
  /** The plan of the session the client is in, without a call; undefined if that session is not known. @default planFor */
  planNow?: ((caller: Caller) => Promise<Tracker | undefined>) | undefined
  /** The folder that the client's address names. */
  folder?: string | undefined
  /** Whether this process may be in another folder than the client, which is then asked for its roots. @default false */
  isElsewhere?: boolean | undefined
  /** Called after the call for which a plan was requested. */
  onCalled?: (() => void) | undefined
  /** The client is gone. */
  onClose?: (() => Promise<void>) | undefined
  /** Several clients write to one plan, so each entry names its writer. @default false */
  isShared?: boolean | undefined
  /** A plan by its name, only looked at; undefined when there is none. */
  planAt: (key: PlanKey) => Promise<Tracker | undefined>
  /** The plans a client may look at, newest first. */
  plans: () => Promise<readonly Pick<PlanSummary, "session" | "agent" | "progress" | "current">[]>
}
