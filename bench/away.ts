/** What a database that cannot be reached costs: the same commands with one, and with plans in files alone. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, byTurns, milliseconds, type Row, runNode } from "./measure.ts"

/** No program listens there. */
const nowhere = ["--store", "postgres://bench@127.0.0.1:1/plans"]

const limit = 1.2
const rounds = 31

const list = JSON.stringify({ todos: Array.from({ length: 20 }, (_, index) => ({ content: `Write part ${index}` })) })

const commands: Record<string, { words: readonly string[]; input?: string }> = {
  show: { words: ["show", "--session", "bench"] },
  "todo note": { words: ["todo", "note", "1", "seen", "--session", "bench"] },
  write: {
    words: ["write", "--session", "bench"],
    input: '{"todos":[{"id":"2","description":"as it should be"}]}',
  },
  "list --own": { words: ["list", "--own"] },
  hook: {
    words: ["hook", "claude-code"],
    input: JSON.stringify({
      session_id: "bench",
      cwd: "/",
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: {},
    }),
  },
}

export const away = async (): Promise<Row[]> => {
  const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
  try {
    const homes = { files: { home: join(home, "files"), more: [] }, away: { home: join(home, "away"), more: nowhere } }
    for (const { home: one, more } of Object.values(homes))
      runNode([bin, "write", "--new", "--session", "bench", ...more], { home: one, input: list })
    return Object.entries(commands).map(([name, { words, input }]) => {
      const call =
        ({ home: one, more }: { home: string; more: readonly string[] }) =>
        () =>
          void runNode([bin, ...words, ...more], { home: one, ...(input === undefined ? {} : { input }) })
      const times = byTurns({ files: call(homes.files), away: call(homes.away) }, rounds)
      const figure = `${milliseconds(times.away)}, ${milliseconds(times.files)} without`
      return { what: `${name}, the database away`, figure, ratio: times.away / times.files, limit }
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
