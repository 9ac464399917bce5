/** Eight processes that write at once: how many of their writes are in the store afterwards. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect, isDone } from "../mcp-client.ts"
import type { Place } from "../peers/peer.ts"
import type { Figure } from "../results.ts"
import { type Contender, cliCall, killGroup, mcpCall, openPlace, startGroup } from "../stage.ts"
import { createLedger, type Part } from "./part.ts"

const processes = 8
const writes = 50
const seconds = 70

/** The todos of one writer; no other writer has them. */
type Writer = { from: number; count: number }

type Outcome = { acknowledged: number; failed: number }

/** One process after the other, as a shell script would. */
const throughCli = async (
  contender: Contender,
  place: Place,
  { from, count }: Writer,
  end: number,
): Promise<Outcome> => {
  const outcome = { acknowledged: 0, failed: 0 }
  for (let number = from; number < from + count && performance.now() < end; number += 1) {
    const { program, words, cwd, env } = cliCall(contender, place, contender.peer.cli?.finish(number) ?? [])
    const child = spawn(program, words, { cwd, env, stdio: "ignore" })
    const [status] = (await once(child, "close")) as [number | null]
    outcome[status === 0 ? "acknowledged" : "failed"] += 1
  }
  return outcome
}

/** One server that stays, as that of an agent does. */
const throughMcp = async (
  contender: Contender,
  place: Place,
  { from, count }: Writer,
  end: number,
): Promise<Outcome> => {
  const outcome = { acknowledged: 0, failed: 0 }
  const child = startGroup(mcpCall(contender, place))
  try {
    const client = await connect(child)
    for (let number = from; number < from + count && performance.now() < end; number += 1) {
      const asked = contender.peer.mcp?.finish(number, place) ?? {}
      const isAcknowledged = await client.call("tools/call", asked).then(isDone, () => false)
      outcome[isAcknowledged ? "acknowledged" : "failed"] += 1
    }
  } finally {
    killGroup(child)
  }
  return outcome
}

const trial = async (contender: Contender, through: typeof throughCli, writers: number) => {
  const { peer, ready } = contender
  const place = openPlace()
  try {
    peer.seed(place, processes * writes + 10, ready.program)
    const end = performance.now() + seconds * 1000
    const each = Array.from({ length: writers }, (_, index) =>
      through(contender, place, { from: 1 + index * writes, count: writes }, end),
    )
    const outcomes = await Promise.all(each)
    const acknowledged = outcomes.reduce((sum, one) => sum + one.acknowledged, 0)
    const failed = outcomes.reduce((sum, one) => sum + one.failed, 0)
    return { acknowledged, failed, ...readAfter(contender, place) }
  } finally {
    place.close()
  }
}

const readAfter = ({ peer, ready }: Contender, place: Place): { kept: number; state: string } => {
  try {
    const { todos, done } = peer.read(place, ready.program)
    const missing = processes * writes + 10 - todos
    return { kept: done, state: missing > 0 ? `${missing} todos are gone` : "whole" }
  } catch {
    return { kept: 0, state: "no longer readable" }
  }
}

export const writers: Part = async (given) => {
  const { figure, rows, row, leftOut } = createLedger(given)
  for (const contender of given.contenders) {
    const { peer } = contender
    const ways = [
      ...(peer.mcp ? [{ name: "MCP", through: throughMcp }] : []),
      // A start of Node for each write takes minutes where it is slow; those peers were measured through MCP.
      ...(peer.cli && (!peer.mcp || "own" in peer.source) ? [{ name: "shell", through: throughCli }] : []),
    ]
    for (const { name, through } of ways) {
      const title = `${peer.title}, ${name}`
      let rest: Figure[] = []
      const kept = await figure(title, "8 x 50", async () => {
        const alone = await trial(contender, through, 1)
        const together = await trial(contender, through, processes)
        const count = together.acknowledged + together.failed
        rest = [
          { count: Math.max(0, together.acknowledged - together.kept) },
          { count: together.failed },
          { count: alone.kept, of: alone.acknowledged + alone.failed },
          { count: processes * writes + 10, note: together.state },
        ]
        return { count: together.kept, of: count }
      })
      row(title, [kept, ...(rest.length > 0 ? rest : Array.from({ length: 4 }, (): Figure => ({ none: "see above" })))])
    }
  }
  return {
    id: "writers",
    title: "Eight writers at once",
    about:
      "8 processes change 50 todos each, every process others: through MCP servers that stay, or by one command after another. Slow tools were stopped after 70 seconds, with fewer writes. The store is read afterwards. One writer alone is the control: where it keeps all, the losses come from writing at once.",
    columns: [
      "kept",
      "lost although reported as done",
      "reported as failed",
      "kept with one writer",
      "the store afterwards",
    ],
    rows,
    leftOut,
  }
}
