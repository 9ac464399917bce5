/** The URL of a store as it may be shown and written down: what is a password in it, or could be one, is taken out. */

/**
 * Whether what the URL says is where it belongs. In one with a raw `@`, `/`, `?` or `#` in its password, parts of that would
 * be taken for a port, a database or a parameter.
 */
export const isPlainUrl = (url: string): boolean =>
  /^postgres(?:ql)?:\/\/[^/?#]*(?:\/[^?#@]*)?(?:\?[^#@]*)?$/.test(url) && URL.canParse(url)

export const shownUrl = (url: string): string => {
  if (!/^postgres(?:ql)?:/i.test(url)) return url.replace(/^([\w+.-]*:\/\/[^:@/]*):.*@/s, "$1@")
  if (!isPlainUrl(url)) return "postgres://(not shown)"
  const [place = "", query = ""] = url.split("?")
  const parameters = query.split("&").filter((one) => one !== "" && !isPassword(one))
  return [
    place.replace(/^(\w+:\/\/[^:@/]*):.*@/, "$1@"),
    ...(parameters.length > 0 ? [parameters.join("&")] : []),
  ].join("?")
}

const isPassword = (parameter: string): boolean =>
  [...new URLSearchParams(parameter).keys()].some((name) => name.toLowerCase() === "password")
