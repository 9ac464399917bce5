/** Quotes a word for a person's shell if it is not plain, so that the shell runs no part of it. */

/**
 * Also safe in fish, where a backslash has a meaning in quotes, and in zsh, where a word that begins with `=` is a
 * program.
 */
export const shellWord = (word: string): string =>
  /^[\w%+,./:@-]+$/.test(word) ? word : `'${word.replace(/['\\]/g, String.raw`'\$&'`)}'`
