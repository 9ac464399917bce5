/** A new session in a folder with an unfinished plan continues nothing: it is left alone. */
import { askingTurn, endedWell, ownCall, ownList, type Scenario, timesIn, wordsOf } from "./scenario.ts"

export const beginning: Scenario = {
  id: "beginning",
  about: "a new session beside an old plan",
  acts: (client) =>
    client.otherCall
      ? [
          {
            turns: [{ calls: [ownCall(client, { todos: ownList })] }, askingTurn, { text: "It is four." }, askingTurn],
            play: async (stage) => {
              const first = await stage.converse(["Do the work."])
              const second = await stage.converse(["What is two and two?"])
              const requests = stage.requests()
              return [
                endedWell(first),
                endedWell(second),
                {
                  what: "a new session is neither told of an old plan nor held to it",
                  ok: requests.length === 3 && timesIn(wordsOf(requests[2]), "Read the notes") === 0,
                  seen: requests.length === 3 ? "" : `${requests.length - 2} answers`,
                },
              ]
            },
          },
        ]
      : [],
}
