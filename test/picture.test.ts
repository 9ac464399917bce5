/** The README's picture: cells of a real emulator become an SVG that any browser can show. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import xterm from "@xterm/headless"
import { describe, expect, test } from "vitest"
import { screenCells } from "../scripts/screen-cells.ts"
import { screenSvg } from "../scripts/screen-svg.ts"
import { screensSvg } from "../scripts/screens-svg.ts"

/** The SVG of a small screen on which a program wrote this. */
const svgOf = async (written: string, columns = 20, rows = 2): Promise<string> => {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  await new Promise<void>((resolve) => emulator.write(written, resolve))
  return screenSvg(screenCells(emulator), 'A "screen"')
}

const texts = (svg: string): string[] => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text)

/** The attributes of the text that says this. */
const lookOf = (svg: string, text: string): string =>
  new RegExp(`<text ([^>]*)>${text}</text>`).exec(svg)?.[1] ?? `no text "${text}"`

/** Names of elements left open or closed out of turn. */
const misnested = (xml: string): string[] => {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, end, name = "", selfEnd] of xml.matchAll(/<(\/?)([\w:]+)(?:\s[\w:-]+="[^"<]*")*(\/?)>/g)) {
    if (end && open.pop() !== name) wrong.push(name)
    if (!end && !selfEnd) open.push(name)
  }
  return [...wrong, ...open]
}

/** What no well-formed XML has outside of its tags and references. */
const strayMarks = (xml: string): string[] =>
  xml.replace(/<\/?[\w:]+(?:\s[\w:-]+="[^"<]*")*\/?>/g, "").match(/[<>]|&(?!(?:amp|lt|gt|quot);)/g) ?? []

describe("a screen as an SVG", () => {
  test("words of the same style are one text, in their place and as wide as their cells", async () => {
    const svg = await svgOf("one two\r\n  three")
    expect(texts(svg)).toEqual(["one two", "three"])
    expect(lookOf(svg, "three")).toContain('x="16.8" y="31.2" textLength="42"')
  })

  test("colours are classes that a light theme can change, or the very colour", async () => {
    const svg = await svgOf("\u001b[36mcyan\u001b[0m \u001b[38;5;208mcube\u001b[0m \u001b[38;2;1;2;3mtrue")
    expect(lookOf(svg, "cyan")).toContain('class="fill-6"')
    expect(lookOf(svg, "cube")).toContain('fill="#ff8700"')
    expect(lookOf(svg, "true")).toContain('fill="#010203"')
    expect(svg).toContain("@media(prefers-color-scheme:light)")
  })

  test("bold, dim, struck through and inverse stay what they are", async () => {
    const svg = await svgOf("\u001b[1mbold\u001b[0m \u001b[2;9mgone\u001b[0m \u001b[7mturned")
    expect(lookOf(svg, "bold")).toContain('class="bold"')
    expect(lookOf(svg, "gone")).toContain('class="dim struck"')
    expect(lookOf(svg, "turned")).toContain('class="fill-paper"')
    expect(svg).toContain('<rect x="84" y="0" width="50.4" height="18"/>')
  })

  test("boxes and bars are drawn, not left to a font", async () => {
    const svg = await svgOf("╭──╮\r\n█░")
    expect(texts(svg)).toEqual([])
    expect(svg).toContain('<path class="stroke-ink" fill="none" d="M8.4 9h-1.2q-3 0-3 3v6M8.4 9h8.4M16.8 9h8.4M25.2 9')
    expect(svg).toContain('<path fill-opacity="0.25" d="M8.4 22h8.4v10h-8.4z"/>')
  })

  test("signs and wide characters are separate, each in the middle of its cells", async () => {
    const svg = await svgOf("✓ 日x")
    expect(texts(svg)).toEqual(["✓", "日", "x"])
    expect(lookOf(svg, "日")).toContain('x="25.2"')
    expect(lookOf(svg, "x")).toContain('x="33.6"')
  })

  test("what a program prints cannot become markup", async () => {
    const svg = await svgOf('<script>"&amp;')
    expect(texts(svg)).toEqual(["&lt;script&gt;&quot;&amp;amp;"])
    expect(svg).toContain("<title>A &quot;screen&quot;</title>")
    expect(misnested(svg)).toEqual([])
    expect(strayMarks(svg)).toEqual([])
  })
})

describe("screens in sequence", () => {
  const cells = (text: string) => [...text].map((chars) => ({ chars, width: 1 }))
  const svg = screensSvg(
    [
      { screen: [cells("same"), cells("first")], seconds: 1 },
      { screen: [cells("same"), cells("second")], seconds: 3 },
    ],
    "Two screens",
  )
  const groupOf = (text: string): string =>
    new RegExp(`<g class="([^"]*)"[^>]*><text [^>]*>${text}</text>`).exec(svg)?.[1] ?? `no text "${text}"`

  test("draw an unchanged row once", () => {
    expect(texts(svg)).toEqual(["same", "first", "second"])
    expect(groupOf("same")).toBe("f f0-2 still")
    expect(svg).toContain("@keyframes f0-2{0%{visibility:visible}}")
  })

  test("follow each other after the time of each", () => {
    expect(svg).toContain("@keyframes f0-1{0%{visibility:visible}25%{visibility:hidden}}")
    expect(svg).toContain("@keyframes f1-2{0%{visibility:hidden}25%{visibility:visible}}")
    expect(svg).toContain("animation-duration:4.0s")
  })

  test("stand still, with one of them shown, where motion is not wanted", () => {
    expect(svg).toContain("@media(prefers-reduced-motion:reduce){.f{animation:none}.still{visibility:visible}}")
    expect(groupOf("first")).toBe("f f0-1")
    expect(groupOf("second")).toBe("f f1-2 still")
  })
})

describe("docs/first-minute.svg", () => {
  const svg = readFileSync(fileURLToPath(new URL("../docs/first-minute.svg", import.meta.url)), "utf8")

  test("is small, complete and self-contained", () => {
    expect(Buffer.byteLength(svg)).toBeLessThan(200_000)
    expect(misnested(svg)).toEqual([])
    expect(strayMarks(svg.replace(/<style>[^<]*<\/style>/, ""))).toEqual([])
    expect(svg).not.toMatch(/<script|<image|<foreignObject|@import|url\(|href|\son\w+=/)
  })

  test("shows the board and a plan in the shell, and no folder of the machine", () => {
    for (const word of ["headway demo", "headway show", "Ask for a review"]) expect(svg).toContain(word)
    expect(svg.toLowerCase()).toContain("codex")
    expect(svg).not.toMatch(/\/(?:tmp|root|home|work)\//)
  })
})

describe("docs/board.svg", () => {
  const path = fileURLToPath(new URL("../docs/board.svg", import.meta.url))

  test("is small, complete and self-contained", () => {
    expect(existsSync(path)).toBe(true)
    const svg = readFileSync(path, "utf8")
    expect(Buffer.byteLength(svg)).toBeLessThan(60_000)
    expect(misnested(svg)).toEqual([])
    expect(strayMarks(svg)).toEqual([])
    expect(svg).not.toMatch(/<script|<image|<foreignObject|@import|url\(|href|\son\w+=/)
  })

  test("shows agents of three vendors", () => {
    const svg = readFileSync(path, "utf8")
    for (const agent of ["claude", "codex", "gemini"]) expect(svg.toLowerCase()).toContain(agent)
  })
})

test.each(["page.png", "page-phone.png"])("docs/%s is a picture of limited size", (name) => {
  const path = fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
  expect(readFileSync(path).subarray(1, 4).toString()).toBe("PNG")
  expect(statSync(path).size).toBeLessThan(200_000)
})
