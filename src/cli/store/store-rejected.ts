/** `headway store rejected`: the changes that a database rejected or has lost, and are only kept in the home. */
import type { Entry } from "../../plan/index.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { folderOf } from "../../stores/delivered/open-delivered.ts"
import { copyOf, discardRejected, type Rejected, rejectedIn } from "../../stores/delivered/rejected.ts"
import type { Line } from "../../views/index.ts"
import type { Context } from "../command.ts"
import { entryLines, within } from "../output/history-lines.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, urlOf } from "../place/place.ts"
import { assertElsewhere, changes, storeName } from "./store-places.ts"

/** They may be the only copy, so they are shown with the command that removes them. */
export const discardOption = {
  type: "boolean",
  about: "rejected: show these changes a last time, and remove them from your home",
} as const

export const storeRejected = async (context: Context<{ discard: typeof discardOption }>): Promise<number> => {
  const { io, values } = context
  const url = urlOf(context)
  assertElsewhere(url, "Only a database rejects changes")
  const folder = folderOf(url, homeOf(context))
  const rejected = await rejectedIn(folder)
  const store = storeName(context, url)
  const printed = rejected.map(({ key, entries }) => ({ ...key, entries }))
  if (!values.json) for (const one of rejected) io.out(linesOf(context, one, await copyOf(folder, one.key)))
  const discarded = values.discard ? await discardRejected(folder, rejected) : []
  const [all, gone] = [countOf(rejected), countOf(discarded)]
  if (values.json) io.out(printJson({ store, rejected: printed, discarded: gone }))
  else if (all === 0) io.out(`${sanitise(store)} rejected no changes\n`)
  else if (!values.discard)
    say(
      io,
      `${changes(all)} rejected by ${store}, kept in your home. "headway store rejected --discard" removes what is not needed any more.`,
    )
  else say(io, `${changes(gone)} discarded`)
  if (gone === all || !values.discard) return 0
  say(io, `${changes(all - gone)} kept: others came in the meantime. Run the command again to see them.`)
  return 1
}

const countOf = (some: readonly Rejected[]): number => some.reduce((sum, { entries }) => sum + entries.length, 0)

/** As in the history of a plan. */
const widest = 80

const linesOf = ({ io }: Context, { key, entries }: Rejected, copy: readonly Entry[]): Line[] => {
  const columns = Math.min(io.columns ?? widest, widest)
  const wordings = wordingsIn([...copy, ...entries])
  const shown = entries.map((entry) =>
    entryLines({ entry, events: entry.events, names: namesIn(entry, wordings) }, { now: io.now(), columns }),
  )
  const silent = shown.filter((lines) => lines.length === 0).length
  const rest = silent > 0 ? within(`${changes(silent)} without effect on the list`, columns, "") : []
  return [...within(`${sanitise(key.session)} ${sanitise(key.agent)}`, columns, ""), ...shown.flat(), ...rest]
}

/** How todos were worded when they were added, by the entry that added them and the number they had in it. */
const wordingsIn = (entries: readonly Entry[]): ReadonlyMap<string, string> =>
  new Map(
    entries.flatMap(({ id, events }) =>
      events.flatMap((event) =>
        event.type === "todo-added" ? [[JSON.stringify([id, event.todo.id]), event.todo.content] as const] : [],
      ),
    ),
  )

/** A number alone may mean another todo in the list as it is now, so a todo is named only if it is known which one it was. */
const namesIn = ({ origins = {} }: Entry, wordings: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(origins).flatMap(([entry, ids]) =>
      Object.entries(ids).flatMap(([id, then]) => {
        const text = wordings.get(JSON.stringify([entry, then]))
        return text === undefined ? [] : [[id, text] as const]
      }),
    ),
  )
