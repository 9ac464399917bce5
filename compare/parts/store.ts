/** What creating, listing and finishing a todo costs in a store of 1,000 and of 10,000. */
import type { Figure } from "../results.ts"
import { cliCall, openPlace, runOnce, timed } from "../stage.ts"
import { createLedger, type Part } from "./part.ts"

const sizes = [1_000, 10_000]
const limits = { rounds: 5, seconds: 6 }

export const store: Part = async (given) => {
  const { figure, row, rows, leftOut } = createLedger(given)
  for (const contender of given.contenders) {
    const { peer, ready } = contender
    const { cli } = peer
    if (!cli) continue
    const figures: Figure[] = []
    for (const size of sizes) {
      const place = openPlace()
      try {
        peer.seed(place, size, ready.program)
        const run = (words: readonly string[]) => runOnce(cliCall(contender, place, words))
        const at = `at ${size.toLocaleString("en-US")}`
        figures.push(
          await figure(peer.title, `create ${at}`, () =>
            timed((round) => run(cli.create(`One more, ${round}`)), limits),
          ),
          await figure(peer.title, `list ${at}`, () => timed(() => run(cli.list), limits)),
          await figure(peer.title, `update ${at}`, async () => {
            const before = peer.read(place, ready.program)
            let calls = 0
            const time = await timed((round) => {
              calls += 1
              return run(cli.finish(round + 5))
            }, limits)
            const { done } = peer.read(place, ready.program)
            if (done - before.done !== calls)
              throw new Error(`${done - before.done} of ${calls} updates are in the store`)
            return time
          }),
        )
      } finally {
        place.close()
      }
    }
    row(peer.title, figures)
  }
  return {
    id: "store",
    title: "Create, list and update from the shell",
    about:
      "Stores were written in each tool's own format with short texts (Headway: one plan with all todos). Create adds a todo, list prints the open ones, update marks one as done; after the updates, the store was read and all of them were in it.",
    columns: sizes.flatMap((size) =>
      ["create", "list", "update"].map((what) => `${what} at ${size.toLocaleString("en-US")}`),
    ),
    rows,
    leftOut,
  }
}
