/** The URL of a store for display and logs, without anything that is or could be a password. */

/**
 * Whether the URL is well-formed. With a raw `@`, `/`, `?` or `#` in its password, parts of the password would appear
 * as port, database or parameter.
 */
export const isPlainUrl = (url: string): boolean =>
  /^postgres(?:ql)?:\/\/[^/?#]*(?:\/[^?#@]*)?(?:\?[^#@]*)?$/.test(url) && URL.canParse(url)

export const shownUrl = (url: string): string => {
  // Another scheme, or a misspelt one.
  if (/^(?!postgres)[a-z]+:\/\/[^\s?="'<>]*$/i.test(url)) return url.replace(/^(\w+:\/\/[^:@/]*):.*@/s, "$1@")
  if (!/^postgres(?:ql)?:/i.test(url)) return mayHoldPassword(url) ? "(not shown)" : url
  if (!isPlainUrl(url)) return "postgres://(not shown)"
  const [place = "", query = ""] = url.split("?")
  const parameters = query.split("&").filter((one) => one !== "" && !isPassword(one))
  return [
    place.replace(/^(\w+:\/\/[^:@/]*):.*@/, "$1@"),
    ...(parameters.length > 0 ? [parameters.join("&")] : []),
  ].join("?")
}

/** A mistake before the address, such as a space, a quotation mark or the name of a variable, makes it a text of any kind. */
const mayHoldPassword = (text: string): boolean =>
  /postgres|password|passwd|pwd|secret|token/i.test(text) || (/[@=?]/.test(text) && !/^(?:file|root):/.test(text))

const isPassword = (parameter: string): boolean =>
  [...new URLSearchParams(parameter).keys()].some((name) => name.toLowerCase() === "password")
