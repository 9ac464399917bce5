/** How long a tool takes to say its version, and to list a store with one todo. */
import { cliCall, openPlace, runOnce, timed } from "../stage.ts"
import { createLedger, type Part } from "./part.ts"

export const start: Part = async (given) => {
  const { figure, row, rows, leftOut } = createLedger(given)
  for (const contender of given.contenders) {
    const { peer, ready } = contender
    const { cli } = peer
    if (!cli) continue
    const place = openPlace()
    try {
      peer.seed(place, 1, ready.program)
      const time = (words: readonly string[], alsoFine?: readonly number[]) =>
        timed(() => runOnce(cliCall(contender, place, words), alsoFine), { rounds: 7, seconds: 7 })
      row(peer.title, [
        await figure(peer.title, "version", () => time(cli.version, cli.alsoFine)),
        await figure(peer.title, "list, one todo", () => time(cli.list)),
      ])
    } finally {
      place.close()
    }
  }
  return {
    id: "start",
    title: "Cold start",
    about: "The command with `--version` (todo.txt: `-V`), and its list of a store with one todo.",
    columns: ["version", "list, one todo"],
    rows,
    leftOut,
  }
}
