/** JSON from outside, read without trust. */

/** The value of a text that should be JSON; undefined, which no JSON says, where it is not. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
