/** Finds the arguments of a command after its options. */

/** The words after the options. `withValue` matches options that are followed by a value. */
export const afterOptions = (words: readonly string[], withValue: RegExp): readonly string[] => {
  let index = 0
  while (index < words.length && (words[index] ?? "").startsWith("-")) {
    const word = words[index] ?? ""
    if (word === "--") return words.slice(index + 1)
    index += withValue.test(word) ? 2 : 1
  }
  return words.slice(index)
}
