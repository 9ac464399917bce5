/** What a check looks at, as far as its words show: a run of fewer tests that passes leaves a wider failure standing. */
import { type CommandKind, partKind } from "./command-kind.ts"
import { shellParts } from "./shell-parts.ts"

/** Conditions leave more out the more there are of them; places take more in. */
export type Selection = { conditions: readonly string[]; places: readonly string[] }

/** Whether nothing that the earlier check looked at was left out of the later one. */
export const covers = (later: Selection, earlier: Selection): boolean => {
  if (!later.conditions.every((one) => earlier.conditions.includes(one))) return false
  if (later.places.length === 0) return true
  const looked = earlier.places.length === 0 ? [""] : earlier.places
  return looked.every((place) => later.places.some((one) => place.startsWith(one)))
}

export const selectionOf = (command: string, kind: CommandKind): Selection => {
  const conditions: string[] = []
  const places: string[] = []
  for (const part of shellParts(command)) {
    if (partKind(part) !== kind) continue
    const words = part.words.slice(1)
    for (const [index, word] of words.entries()) {
      const before = words[index - 1] ?? ""
      if (condition.test(word)) conditions.push(word.includes("=") ? word : `${word}=${words[index + 1] ?? ""}`)
      else if (!word.startsWith("-") && isPlace(word) && !condition.test(before) && !withValue.test(before))
        places.push(word.replace(/^\.\//, "").replace(/\.{3}$|^\.$/, ""))
    }
  }
  return { conditions, places }
}

/** Options that pick what is checked by name, mark or package. */
const condition =
  /^(?:-k|-t|-g|-run|-Dtest|-pl|-p|-w|--projects?|--workspace|--tests|--grep|--filter|-F|--only|--testNamePattern|--testPathPatterns?|--test-name-pattern|--lib|--bin|--doc)(?:=|$)/

/** Options that are followed by a file which is not what is checked. */
const withValue =
  /^(?:-c|-C|-f|-o|--config|--prefix|--cwd|--dir|--rootdir|--outDir|--env-file|-r|--require|--ext|--ignore-path)$/

const isPlace = (word: string): boolean => /^\.{1,2}$|[/\\]|::|\.[a-z]{1,4}$/i.test(word)
