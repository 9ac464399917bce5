import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, expectTypeOf, test } from "vitest"
import { type Context, defineCommand } from "../../src/cli/command.ts"
import { main } from "../../src/cli/main.ts"
import type { Options } from "../../src/cli/words/option.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { silentIo } from "./silent-io.ts"

const options = {
  name: { type: "string", value: "NAME", about: "a text" },
  loud: { type: "boolean", short: "l", about: "a switch" },
  colour: { type: "choice", of: ["red", "green"], about: "one of several words" },
  width: { type: "number", value: "N", from: 1, to: 500, about: "a number" },
  speed: { type: "number", value: "N", from: 0.1, takesFraction: true, about: "a number with a fraction" },
  tokens: { type: "number", value: "N", from: 1, takesThousands: true, about: "a number of thousands" },
  since: { type: "duration", value: "TIME", about: "a length of time" },
} as const satisfies Options

type Given = Context<typeof options>

const called = async (...argv: string[]): Promise<Given> => {
  const contexts: Given[] = []
  const command = defineCommand({
    usage: "try [WORD]",
    about: "Tries its options.",
    options,
    maxWords: 1,
    examples: [],
    async run(context) {
      contexts.push(context)
      return 0
    },
  })
  await command.call(argv, silentIo("/"))
  const [context] = contexts
  if (!context) throw new Error("The command was not run.")
  return context
}

describe("a command", () => {
  test("gets each of its options with the type it declares", async () => {
    const { values, words } = await called(
      ...["word", "--name", "Ada", "-l", "--colour", "green", "--width=40", "--speed", "0.5"],
      ...["--tokens", "32k", "--since", "2h", "--session", "s"],
    )
    expect(values).toMatchObject({ name: "Ada", loud: true, colour: "green", width: 40, speed: 0.5, session: "s" })
    expect(values).toMatchObject({ tokens: 32_000, since: 7_200_000, json: undefined })
    expect(words).toEqual(["word"])
  })

  test("knows the types of its own and of the common options", () => {
    type Values = Given["values"]
    expectTypeOf<Values["name"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Values["loud"]>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Values["colour"]>().toEqualTypeOf<"red" | "green" | undefined>()
    expectTypeOf<Values["width"]>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Values["since"]>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Values["session"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Values["json"]>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Values>().not.toHaveProperty("root")
  })

  test.each([
    [["--colour", "blue"], '--colour takes one of red, green, not "blue".'],
    [["--colour", ""], '--colour takes one of red, green, not "".'],
    [["--width", "0"], '--width takes a number from 1 to 500, not "0".'],
    [["--width", "501"], '--width takes a number from 1 to 500, not "501".'],
    [["--width", "1.5"], '--width takes a number from 1 to 500, not "1.5".'],
    [["--width", "1k"], '--width takes a number from 1 to 500, not "1k".'],
    [["--width", "0x10"], '--width takes a number from 1 to 500, not "0x10".'],
    [["--speed", "0.01"], '--speed takes a number from 0.1, not "0.01".'],
    [["--since", "soon"], '--since takes a length of time such as 30d, 12h, 45m or 90s, not "soon".'],
    [["one", "two"], '"two" is not expected here. Usage: headway try [WORD]'],
    [["--nonsense"], "--nonsense"],
  ])("is not run with %j", async (argv, message) => {
    await expect(called(...argv)).rejects.toThrow(message)
  })
})

test.each([
  [["claude-code", "--profile", "loud"], '--profile takes one of off, quiet, classic, gencode, not "loud".'],
  [["claude-code", "and", "more"], '"and" is not expected here.'],
  [
    ["claude-cod"],
    'There is no agent "claude-cod". Did you mean "claude-code"? The agents with hooks are: claude-code, ',
  ],
  [["cline"], "Cline has no hooks. The agents with hooks are: claude-code, "],
  [[], "hook needs the name of an agent: claude-code, "],
])(
  "a hook called as %j holds up no agent: it ends with 0, prints what would be right and logs it",
  async (words, message) => {
    const errors: string[] = []
    const home = temporaryFolder()
    const io = silentIo(home, { err: (printed) => void errors.push(String(printed)), env: { HEADWAY_HOME: home } })
    expect(await main(["hook", ...words], io)).toBe(0)
    expect(errors).toEqual([expect.stringContaining(`headway: ${message}`)])
    expect(readFileSync(join(home, "errors.log"), "utf8")).toContain(message)
  },
)
