/** kill -9 in the middle of a write: whether the store can be read afterwards and has all its todos. */
import { once } from "node:events"
import { cpSync, rmSync, watch } from "node:fs"
import { connect } from "../mcp-client.ts"
import type { Place } from "../peers/peer.ts"
import { type Contender, cliCall, killGroup, mcpCall, openPlace, runOnce, startGroup } from "../stage.ts"
import { createLedger, type Part } from "./part.ts"

const kills = 30
const todos = 1_000
const seconds = 15

type Ended = { isKilled: boolean }

/** Starts a write and kills it: at the first sign of a change in the folders, or after a while. */
const killed = async (
  contender: Contender,
  place: Place,
  number: number,
  after: number | undefined,
): Promise<Ended> => {
  const { peer } = contender
  const isServer = !peer.cli || "npm" in peer.source
  const child = startGroup(
    isServer && peer.mcp ? mcpCall(contender, place) : cliCall(contender, place, peer.cli?.finish(number) ?? []),
  )
  const closed = once(child, "close")
  child.stdout?.resume()
  const client = isServer && peer.mcp ? await connect(child) : undefined
  const watchers = after === undefined ? [place.folder, place.home].map((path) => watch(path, { recursive: true })) : []
  const hit = new Promise<void>((resolve) => {
    for (const watcher of watchers) watcher.once("change", () => resolve())
    if (after !== undefined) setTimeout(resolve, after)
  })
  const asked = client?.call("tools/call", peer.mcp?.finish(number, place) ?? {}).then(
    () => true,
    () => false,
  )
  // A server goes on after its reply; a command has ended then.
  const isOver = asked ?? closed.then(() => true)
  const isKilled = await Promise.race([hit.then(() => true), isOver.then(() => false)])
  killGroup(child)
  for (const watcher of watchers) watcher.close()
  await closed
  return { isKilled }
}

export const kill: Part = async (given) => {
  const { figure, row, rows, leftOut } = createLedger(given)
  for (const contender of given.contenders) {
    const { peer, ready } = contender
    const place = openPlace()
    const copy = openPlace()
    try {
      const restore = (): void => {
        for (const path of ["folder", "home"] as const) {
          rmSync(place[path], { recursive: true, force: true, maxRetries: 5 })
          cpSync(copy[path], place[path], { recursive: true })
        }
      }
      peer.seed(place, todos, ready.program)
      for (const path of ["folder", "home"] as const) cpSync(place[path], copy[path], { recursive: true })
      let landed = 0
      let isUsable = "yes"
      const broken = await figure(peer.title, "kill -9", async () => {
        const begun = performance.now()
        let bad = 0
        // How long an undisturbed write takes: random kills fall into that time.
        const from = performance.now()
        await killed(contender, place, 1, 60_000)
        const usual = performance.now() - from
        for (let round = 0; round < kills && performance.now() - begun < seconds * 1000; round += 1) {
          const after = round % 2 === 0 ? undefined : Math.random() * usual
          const { isKilled } = await killed(contender, place, 2 + round, after)
          if (!isKilled) continue
          landed += 1
          try {
            if (peer.read(place, ready.program).todos < todos) throw new Error("todos are gone")
          } catch {
            bad += 1
            restore()
          }
        }
        if (landed === 0) throw new Error("no kill fell into a write")
        if (peer.cli) {
          try {
            runOnce(cliCall(contender, place, peer.cli.finish(900)))
          } catch (cause) {
            isUsable = `no: ${String(cause).slice(0, 60)}`
          }
        }
        return { count: bad, of: landed }
      })
      row(peer.title, [broken, peer.cli ? { count: landed, note: isUsable } : { count: landed, note: "not tried" }])
    } finally {
      place.close()
      copy.close()
    }
  }
  return {
    id: "kill",
    title: "kill -9 in the middle of a write",
    about:
      "A store of 1,000 todos; a process that marks one as done is killed with its children: half of the times at the first change in its folders, half at a random moment. npm's tools were killed as MCP servers, the others as commands. A store that cannot be parsed, or has lost todos, is broken.",
    columns: ["stores broken, of kills that hit", "kills that hit, and whether the next write works"],
    rows,
    leftOut,
  }
}
