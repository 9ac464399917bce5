/** A readable name for the device of a browser, from its user agent. */

export const deviceName = (userAgent: string): string => {
  const device = first(devices, userAgent)
  const browser = first(browsers, userAgent)
  return [device ?? "a device", ...(browser === undefined ? [] : [`(${browser})`])].join(" ")
}

/** Ordered, because browsers also name the browsers they are compatible with. */
const devices: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android.*Mobile/, "Android phone"],
  [/Android/, "Android tablet"],
  [/CrOS/, "Chromebook"],
  [/Macintosh/, "Mac"],
  [/Windows/, "Windows PC"],
  [/Linux/, "Linux PC"],
]

const browsers: readonly [RegExp, string][] = [
  [/Firefox|FxiOS/, "Firefox"],
  [/Edg/, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser/, "Samsung Internet"],
  [/Chrome|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
]

const first = (table: readonly [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]
