/** `--for-model`: what a command prints becomes a part of a prompt, as in an agent's slash command, so it leaves by the door to a model. */
import { textForModel } from "../../plan/text/for-model.ts"
import { plainText } from "../../views/text/span.ts"
import type { Context } from "../command.ts"
import type { Io, Printed } from "../io.ts"

export const forModelOption = {
  type: "boolean",
  about: "for a prompt: break up text that looks like a tag or a turn of a conversation",
} as const

/** The same command, printing to a model where the option is given. */
export const toModel = <Here extends Context & { values: { "for-model"?: boolean | undefined } }>(
  context: Here,
): Here => (context.values["for-model"] ? { ...context, io: { ...context.io, ...doorOf(context.io) } } : context)

const doorOf = ({ out, err }: Io): Pick<Io, "out" | "err"> => ({
  out: (printed) => out(safe(printed)),
  err: (printed) => err(safe(printed)),
})

const safe = (printed: Printed): Printed => {
  if (typeof printed === "string") return textForModel(printed)
  return "gesture" in printed ? printed : `${textForModel(plainText(printed))}\n`
}
