/** The demo without a terminal: its main moments one below the other, as fast as they can be printed. */
import { findDialect } from "../../dialects/index.ts"
import { emptyPlan, type Plan } from "../../plan/index.ts"
import { createMemoryStore } from "../../stores/memory.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import type { BoardSession } from "../../views/board/session.ts"
import { cut, panelText, widthOf } from "../../views/index.ts"
import { wrap } from "../../views/text/wrap.ts"
import { brokenCalls } from "./broken-calls.ts"
import { createJumpingClock } from "./clock.ts"
import { createPlay } from "./play.ts"
import { recordedAt, recordings } from "./recordings.ts"
import { createDemoSource } from "./source.ts"
import { endings, toldSentence } from "./story.ts"

export type PlainOptions = { out: (text: string) => void; width: number; ascii: boolean }

export const printDemo = async (options: PlainOptions): Promise<void> => {
  const clock = createJumpingClock()
  const now = (): Date => new Date(recordedAt + clock.position * 1000)
  const source = createDemoSource(now)
  const page = createPage(options)
  const play = createPlay({
    clock,
    source,
    onMoment: ({ agent, say }) => {
      page.title(timeText(clock.position), ...(agent === undefined ? [] : aboutOf(agent)))
      page.words(say)
      for (const { name } of recordings) if (agent === undefined) page.agents(aboutOf(name), source.agentsOf(name))
      if (agent !== undefined) page.agents([], source.agentsOf(agent))
      page.end()
    },
    onTold: (agent, words) => {
      page.title(timeText(clock.position), ...aboutOf(agent))
      page.words(toldSentence(agent))
      page.quote(words)
      page.end()
    },
  })
  await play(Number.POSITIVE_INFINITY)
  await printBrokenCalls(page)
  page.title("The end")
  for (const { name } of recordings) page.result(name, source.agentsOf(name)[0])
  page.end()
  page.words(endings.plain)
}

const aboutOf = (agent: string): string[] => [
  agent,
  ...recordings.flatMap(({ name, project, title }) => (name === agent ? [project, title] : [])),
]

/** No input of a model breaks the list. */
const printBrokenCalls = async (page: Page): Promise<void> => {
  const tracker = await openTracker({ store: createMemoryStore(), session: "broken-calls" })
  for (const [index, { dialect, tool, input, about }] of brokenCalls.entries()) {
    page.title(`Broken call ${index + 1} of ${brokenCalls.length}`, tool)
    const { ok, text, plan } = await tracker.write({ tool, input }, findDialect(dialect))
    page.words(`${ok ? "Repaired" : "Refused"}: ${about}. The model is told:`)
    page.quote(text)
    page.plan(plan)
    page.end()
  }
}

const timeText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`

type Page = ReturnType<typeof createPage>

const createPage = ({ out, width, ascii }: PlainOptions) => {
  const line = (text: string): void => out(`${text}\n`)
  const plan = (shown: Plan | undefined): void => line(panelText(shown ?? emptyPlan, { width, ascii }))
  const words = (text: string): void => wrap(text, width).lines.forEach(line)
  const joined = (parts: readonly string[]): string => parts.join(ascii ? " - " : " · ")
  return {
    title(...parts: string[]): void {
      const title = cut(joined(parts), width, ascii ? "..." : "…")
      line(`${title} ${(ascii ? "-" : "─").repeat(Math.max(0, width - widthOf(title) - 1))}`.trimEnd())
    },
    words,
    quote(text: string): void {
      for (const row of wrap(text, width - 4).lines) line(`  ${ascii ? "|" : "│"} ${row}`)
    },
    plan,
    /** The plan of an agent, and of the sub-agents that work for it. */
    agents(heading: readonly string[], [main, ...others]: readonly BoardSession[]): void {
      if (heading.length > 0) words(joined(heading))
      plan(main?.plan)
      for (const other of others.filter(({ state }) => state === "working")) {
        words(`and its sub-agent${other.title === undefined ? "" : `, ${other.title}`}:`)
        plan(other.plan)
      }
    },
    result(name: string, session: BoardSession | undefined): void {
      if (!session) return
      const { progress, state } = session
      const doing = state === "waiting" ? "waits for you" : state
      words(joined([name, `${progress.completed} of ${progress.total} done`, doing]))
    },
    end: (): void => line(""),
  }
}
