/** 500 MB of agents' session files: how long it takes until the plans in them are known. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { bin } from "../../bench/measure.ts"
import { writeTranscripts } from "../../bench/transcripts.ts"
import { install } from "../install.ts"
import type { Call, Source } from "../peers/peer.ts"
import { openPlace, runOnce, timed } from "../stage.ts"
import { createLedger, type Part } from "./part.ts"

const megabytes = Number(process.env.HEADWAY_BENCH_MB ?? 500)

const naive = `
  const { createReadStream, readdirSync } = require("node:fs")
  const { createInterface } = require("node:readline")
  const scan = async () => {
    for (const path of readdirSync(process.argv[1], { recursive: true })) {
      if (!path.endsWith(".jsonl")) continue
      for await (const line of createInterface({ input: createReadStream(process.argv[1] + "/" + path) })) JSON.parse(line)
    }
  }
  scan()`

export const transcripts: Part = async (given) => {
  const { figure, row, rows, leftOut } = createLedger(given)
  const place = openPlace()
  try {
    given.say(`writing ${megabytes} MB of session files`)
    const tree = writeTranscripts(place.home, megabytes)
    const env = { PATH: process.env.PATH ?? "", HOME: place.home, LANG: "C.UTF-8", NO_COLOR: "1" }
    const call = (program: string, words: readonly string[], more: Record<string, string> = {}): Call => ({
      program,
      words,
      cwd: place.folder,
      env: { ...env, ...more },
    })
    const time = async (name: string, make: () => Call | Promise<Call>, rounds = 5): Promise<void> => {
      const measured = await figure(name, `${megabytes} MB`, async () => {
        const made = await make()
        return timed(() => runOnce(made), { rounds, seconds: 40 })
      })
      row(name, [measured])
    }
    const fetched = async (name: string, source: Source): Promise<string> => {
      const { version, program } = await install(given.cache, source)
      given.version(name, version)
      if (!existsSync(program)) throw new Error("its program is not in the package")
      return program
    }
    const node = process.execPath
    const ownHome = { HEADWAY_HOME: join(place.folder, ".headway") }
    await time("rg -j1 -c TodoWrite", async () =>
      call(await fetched("ripgrep", { debian: "ripgrep", program: "usr/bin/rg" }), [
        ...["-j1", "-c", "--hidden", "--no-ignore", "--no-messages", "TodoWrite"],
        place.home,
      ]),
    )
    await time("Headway, first time: headway list --all --root", () =>
      call(node, [resolve(bin), "list", "--all", "--root", place.home], ownHome),
    )
    await time("Headway, again: headway list", () => call(node, [resolve(bin), "list"], ownHome))
    await time("ccusage daily --offline (sums tokens, another job)", async () =>
      call(await fetched("ccusage", { npm: "ccusage", version: "20.0.24", program: "ccusage" }), [
        ...["daily", "--offline", "--json"],
      ]),
    )
    await time("naive scan: readline and JSON.parse of every line", () => call(node, ["-e", naive, place.home]), 2)
    return {
      id: "transcripts",
      title: `${megabytes} MB of transcripts`,
      about: `${tree.files} session files of several agents with ${tree.lines.toLocaleString("en-US")} lines and ${tree.todoCalls.toLocaleString("en-US")} calls of a todo tool, from a warm page cache. \`rg\` only finds the lines; Headway turns them into plans, titles and states, the second time from what it kept. ccusage reads other lines of the same files for another purpose, so it is a neighbour and no rival.`,
      columns: ["time"],
      rows,
      leftOut,
    }
  } finally {
    place.close()
  }
}
