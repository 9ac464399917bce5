/** `headway completion`: what lets a shell complete commands, options and their values. */
import { basename } from "node:path"
import { HeadwayError } from "../../plan/headway-error.ts"
import { type Command, defineCommand } from "../command.ts"
import { bashScript } from "../completion/bash.ts"
import { type CompletionScript, loadCompletable } from "../completion/completable.ts"
import { fishScript } from "../completion/fish.ts"
import { zshScript } from "../completion/zsh.ts"
import type { CommandRow } from "./index.ts"

const scripts: Record<string, CompletionScript> = { bash: bashScript, zsh: zshScript, fish: fishScript }
const shells = Object.keys(scripts)

/** The command for a table of commands, itself among them. */
export const completionOf = (commands: Readonly<Record<string, CommandRow>>): Command =>
  defineCommand({
    usage: `completion [${shells.join("|")}]`,
    about:
      "Prints a script that completes commands, options and their values in a shell. Its first lines say where to put it.",
    maxWords: 1,
    firstWords: shells,
    options: {},
    examples: [
      `eval "$(headway completion bash)"`,
      `eval "$(headway completion zsh)"`,
      "headway completion fish > ~/.config/fish/completions/headway.fish",
    ],
    async run({ io, words }) {
      const shell = words[0] ?? basename(io.env.SHELL ?? "")
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
      if (!script)
        throw new HeadwayError("usage", `completion needs the name of a shell: headway completion ${shells.join("|")}.`)
      io.out(script(await loadCompletable(commands)))
      return 0
    },
  })
