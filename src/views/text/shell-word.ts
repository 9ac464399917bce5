/** A word for a shell of a person: quoted where it is not plain, so that no part of it is a command. */

/** For fish as well, where a backslash has a meaning in quotes, and for zsh, where a word that begins with `=` is a program. */
export const shellWord = (word: string): string =>
  /^[\w%+,./:@-]+$/.test(word) ? word : `'${word.replace(/['\\]/g, String.raw`'\$&'`)}'`
