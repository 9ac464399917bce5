/** A disk that ignores case: sessions and homes whose names differ only in it, used by several processes at once. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { createMachine, misconductOf } from "../machine.ts"
import { mountCaseInsensitive } from "../mounts.ts"
import type { Attack } from "./attack.ts"

const sessions = ["Ab", "aB", "AB", "ab"]

export const caseInsensitive: Attack = {
  id: "case-insensitive",
  about: "sessions that differ only in case keep plans of their own on a disk that ignores it",
  rounds: { short: 1, full: 6 },
  async run({ folder, progress }, rounds) {
    const disk = mountCaseInsensitive(folder)
    if (typeof disk === "string") return { skipped: `no case-insensitive image can be mounted here: ${disk}` }
    try {
      const machine = createMachine(folder)
      const broken: string[] = []
      for (let round = 0; round < rounds; round += 1) {
        const home = join(disk.folder, `Home${round}`)
        mkdirSync(home)
        // Two names of one folder.
        const names = [home, join(disk.folder, `hOME${round}`)]
        const wordsOf = (session: string, number: number): string[] => [
          ...[
            "todo",
            "add",
            `${session} ${number}`,
            "--new",
            "--session",
            session,
            "--home",
            names[number % 2] ?? home,
          ],
        ]
        const calls = sessions.flatMap((session) => [0, 1, 2].map((number) => wordsOf(session, number)))
        // All at once: the first write of a session decides which file is whose.
        const ends = await Promise.all(calls.map((words) => machine.headway(words)))
        for (const end of ends) {
          broken.push(...misconductOf(end), ...(end.code === 0 ? [] : [`${end.words.join(" ")}: ${end.err}`]))
        }
        for (const session of sessions) {
          const shown = await machine.headway(["show", "--json", "--session", session, "--home", home])
          const { todos = [] } = (shown.code === 0 ? JSON.parse(shown.out) : {}) as { todos?: { content: string }[] }
          const found = todos.map(({ content }) => content).toSorted()
          const expected = [0, 1, 2].map((number) => `${session} ${number}`)
          if (found.join() !== expected.join()) {
            broken.push(`round ${round}: session ${session} has ${found.join(", ") || "nothing"}`)
          }
        }
        progress(`${round} of ${rounds}`)
      }
      return { tried: `${rounds} × ${sessions.join(", ")} through two names of one home on ${disk.what}`, broken }
    } finally {
      disk.unmount()
    }
  },
}
