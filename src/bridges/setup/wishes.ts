/** Turns a person's choices into settings to add or remove. */
import { isAtLeast } from "../../agents/version.ts"
import { isSame } from "../config/edit.ts"
import type { Agent, Scope, ServerCall, Setting, Where } from "./agent-settings.ts"

/** Add it, remove it, or leave it as it is. */
export type Wish = "set" | "remove" | "leave"

export type Choices = {
  mcp: Wish
  hooks: Wish
  /** The hooks never send the agent back to work. */
  letsStop: boolean
  /** Todos stay open while their checks fail. */
  isGated: boolean
  statusLine: Wish
  native: "on" | "off" | "leave"
  /** The agent may call our tool without asking. */
  isTrusted: boolean
  /** The agent's version, where it is known: newer settings stop an older agent. */
  version?: string
}

/** The calls that are written down: words for our server, lines for a shell. */
export type Calls = {
  server: readonly string[]
  /** In place of the words, where the server already runs. */
  http?: ServerCall["http"]
  hook: string
  statusLine: string
}

export type Wished = { setting: Setting; wish: "set" | "remove" }

export const wishesFor = (agent: Agent, choices: Choices, calls: Calls, where: Where, scope: Scope): Wished[] => {
  const { mcp, hooks, statusLine, native, isTrusted } = choices
  const server = (trusted: boolean): Setting[] =>
    agent.server({ words: calls.server, http: calls.http, isTrusted: trusted }, where, scope)
  const wished = (wish: Wish, settings: readonly Setting[]): Wished[] =>
    wish === "leave" ? [] : settings.map((setting) => ({ setting, wish }))
  return [
    ...(mcp === "set" ? exactly(server(isTrusted), server(!isTrusted)) : wished(mcp, server(true))),
    ...sightWishes(agent, choices, where, scope),
    ...wished(hooks, agent.hooks?.(calls.hook, where, scope) ?? []),
    ...laterWishes(hooks, agent.laterHooks?.since, choices, agent.laterHooks?.hooks(calls.hook, where, scope) ?? []),
    ...laterWishes(
      hooks === "set" && !choices.isGated ? "remove" : hooks,
      agent.gateHooks?.since,
      choices,
      agent.gateHooks?.hooks(calls.hook, where, scope) ?? [],
    ),
    ...wished(statusLine, agent.statusLine?.(calls.statusLine, where, scope) ?? []),
    ...nativeWishes(agent, native, where, scope),
  ]
}

const sightWishes = ({ inSight }: Agent, choices: Choices, where: Where, scope: Scope): Wished[] =>
  laterWishes(choices.mcp, inSight?.since, choices, inSight?.settings(where, scope) ?? [])

/** What older versions cannot read is only ever taken out of their files. */
const laterWishes = (
  wish: Wish,
  since: string | undefined,
  { version }: Choices,
  settings: readonly Setting[],
): Wished[] => {
  if (since === undefined || wish === "leave") return []
  const isRead = version !== undefined && isAtLeast(version, since)
  return wish === "set" && !isRead ? [] : settings.map((setting) => ({ setting, wish }))
}

/** Everything of ours, taken out. */
export const wishesToUndo = (agent: Agent, where: Where, scope: Scope): Wished[] => {
  const settings = [
    ...agent.server({ words: [], isTrusted: true }, where, scope),
    ...(agent.inSight?.settings(where, scope) ?? []),
    ...(agent.hooks?.("", where, scope) ?? []),
    ...(agent.laterHooks?.hooks("", where, scope) ?? []),
    ...(agent.gateHooks?.hooks("", where, scope) ?? []),
    ...(agent.statusLine?.("", where, scope) ?? []),
    ...(agent.native.on?.(where, scope) ?? []),
    ...(agent.native.off?.(where, scope) ?? []),
  ]
  return settings.map((setting) => ({ setting, wish: "remove" }))
}

const nativeWishes = (agent: Agent, native: Choices["native"], where: Where, scope: Scope): Wished[] => {
  if (native === "leave") return []
  const other = native === "on" ? agent.native.off : agent.native.on
  return exactly(agent.native[native]?.(where, scope) ?? [], other?.(where, scope) ?? [])
}

/** These, and none of the others; where both speak about the same place, the wanted one replaces the other. */
const exactly = (wanted: readonly Setting[], others: readonly Setting[]): Wished[] => {
  const isSamePlace = (one: Setting, other: Setting): boolean =>
    one.file.path === other.file.path &&
    isSame(one.path, other.path) &&
    (one.kind !== "listed" || other.kind !== "listed" || one.value === other.value)
  const gone = others.filter((other) => !wanted.some((one) => isSamePlace(one, other)))
  return [
    ...gone.map((setting): Wished => ({ setting, wish: "remove" })),
    ...wanted.map((setting): Wished => ({ setting, wish: "set" })),
  ]
}
