/** An agent that stops with work left is sent back once, and then let go. */
import { endedWell, ownCall, ownList, type Scenario, timesIn, wordsOf } from "./scenario.ts"

export const stopping: Scenario = {
  id: "stopping",
  about: "stopping with work left",
  acts: (client) =>
    client.otherCall || client.isHeld
      ? [
          {
            turns: [
              { calls: [ownCall(client, { todos: ownList })] },
              { text: "I am done." },
              { text: "I am done, really." },
              { text: "Nobody should hear this." },
            ],
            play: async (stage) => {
              const ran = await stage.converse(["Do the work."])
              const requests = stage.requests()
              const sentBack = wordsOf(requests[2])
              const isNamed = ['"Read the notes"', '"Write the report"'].every((name) => timesIn(sentBack, name) > 0)
              return [
                endedWell(ran),
                {
                  what: "stopping with work left is held back, and names what is left",
                  ok: isNamed && /still open/.test(sentBack),
                  seen: requests.length > 2 ? "" : "it was let go at once",
                },
                {
                  what: "the second time it is let go",
                  ok: requests.length === 3,
                  seen: requests.length === 3 ? "" : `${requests.length - 1} answers`,
                },
              ]
            },
          },
        ]
      : [],
}
