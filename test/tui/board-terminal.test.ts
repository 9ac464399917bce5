/** The board in a real terminal: typed on, resized, handed to an editor, stopped and killed; and what is left behind. */

import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { openTerminal, type Terminal, type TerminalOptions } from "../terminal.ts"
import { buildApp } from "./built-app.ts"

const folder = temporaryFolder()
const program = [process.execPath, await buildApp(fileURLToPath(new URL("./board-fixture.ts", import.meta.url)))]

const opened = (terminal: Terminal): Terminal => {
  onTestFinished(() => terminal.kill("SIGKILL"))
  return terminal
}

const board = (options: TerminalOptions = {}): Terminal => {
  const [file = "", ...words] = program
  return opened(openTerminal(file, words, { cwd: folder, columns: 100, rows: 24, ...options }))
}

/** A shell that has the board as a job of its own. */
const shell = async (env: NodeJS.ProcessEnv = {}): Promise<Terminal> => {
  const terminal = opened(
    openTerminal("bash", ["--norc", "-i"], { cwd: folder, columns: 100, rows: 24, env: { PS1: "$ ", ...env } }),
  )
  await terminal.waitFor("$")
  terminal.type(`${program.join(" ")}\r`)
  await terminal.waitFor("q quit")
  return terminal
}

const isGivenBack = (terminal: Terminal): void => {
  expect(terminal.isAlternate()).toBe(false)
  expect(terminal.cursor().isHidden).toBe(false)
  // What was switched on last of wrapping and of marking pastes.
  expect(terminal.written.lastIndexOf("\u001b[?7h")).toBeGreaterThan(terminal.written.lastIndexOf("\u001b[?7l"))
  expect(terminal.written.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(
    terminal.written.lastIndexOf("\u001b[?7l\u001b[?2004h"),
  )
  for (const mode of ["1000", "1006"]) {
    expect(terminal.written.lastIndexOf(`\u001b[?${mode}l`)).toBeGreaterThan(
      terminal.written.lastIndexOf(`\u001b[?${mode}h`),
    )
  }
  expect(terminal.emulator.modes.mouseTrackingMode).toBe("none")
}

describe("on its screen", () => {
  test("the board fills the terminal, follows its size, and is gone when it ends", async () => {
    const terminal = board()
    const screen = await terminal.waitFor("q quit")
    expect(screen[0]).toContain("1 waiting for you")
    expect(screen.at(-1)).toContain("q quit")
    expect(terminal.isAlternate()).toBe(true)
    expect(terminal.cursor().isHidden).toBe(true)
    terminal.resize(40, 12)
    const narrow = await terminal.waitFor(/^ ◆ 1 waiting for you {2}▷ 1 ▶ 1\n.*> ◆ Checkout page.* q quit$/s)
    expect(narrow).toHaveLength(12)
    terminal.resize(120, 40)
    await terminal.waitFor((text) => text.split("\n").length === 40 && text.includes("│ Codex · ~/code/web-shop"))
    terminal.type("q")
    expect(await terminal.exited).toBe(0)
    expect(terminal.screen().join("\n")).toContain("ended: quit")
    isGivenBack(terminal)
  })

  test("keys change the plan and report it", async () => {
    const terminal = board()
    await terminal.waitFor("q quit")
    terminal.type("\r")
    await terminal.waitFor("esc back")
    terminal.type(" ")
    await terminal.waitFor("✓ Choose a payment provider")
    terminal.type("aAsk Ada\r")
    await terminal.waitFor("○ Ask Ada")
    terminal.type("\u001b[B")
    terminal.type("b")
    await terminal.waitFor("Blocked by")
    terminal.type("\u001b[200~no\r\ncard\u001b[201~\r")
    await terminal.waitFor("blocked: no card")
    terminal.type("u")
    const screen = await terminal.waitFor("Took back the last change.")
    expect(screen.join("\n")).not.toContain("blocked: no card")
  })

  test("agents' changes show without a key, and only the rows that changed are written", async () => {
    const terminal = board({ columns: 120, rows: 40 })
    await terminal.waitFor("q quit")
    const before = terminal.written.length
    process.kill(terminal.process.pid, "SIGUSR2")
    await terminal.waitFor("2 waiting for you")
    const written = terminal.written.slice(before)
    expect(written).toContain("Move the orders")
    expect(written).not.toContain("docs")
  })

  test("it works where a build server is expected, without colour and in ASCII", async () => {
    const terminal = board({ columns: 80, env: { CI: "true", NO_COLOR: "1", ASCII: "1" } })
    const screen = await terminal.waitFor("q quit")
    expect(screen.join("\n")).toMatch(/^[\n -~]*$/)
    expect(screen[0]).toContain("5 sessions")
    expect(terminal.written).not.toMatch(/\u001b\[[1-9]\d*m/)
    terminal.type("j")
    await terminal.waitFor("> ? Upgrade the f")
    terminal.resize(100, 20)
    await terminal.waitFor((text) => text.split("\n").length === 20 && text.includes("> ? Upgrade the f"))
  })

  test("twenty columns and five rows are enough", async () => {
    const terminal = board({ columns: 20, rows: 5 })
    await terminal.waitFor("q quit")
    terminal.type("\r")
    await terminal.waitFor("Choose a")
    terminal.type("\u001b")
    await terminal.waitFor("Checkout")
  })

  test("clicks and the wheel work, and marks keep their colour on the selected row", async () => {
    const terminal = board()
    await terminal.waitFor("q quit")
    expect(terminal.emulator.modes.mouseTrackingMode).toBe("vt200")
    const rowOf = (text: string): number => terminal.screen().findIndex((line) => line.includes(text)) + 1
    terminal.type(`\u001b[<0;9;${rowOf("Move the orders")}M`)
    await terminal.waitFor(/^> ▶ Move the orders/m)
    const cells = terminal.emulator.buffer.active.getLine(rowOf("> ▶ Move") - 1)
    expect(cells?.getCell(2)?.getChars()).toBe("▶")
    expect(cells?.getCell(2)?.getFgColor()).toBe(2)
    expect(cells?.getCell(2)?.isInverse()).toBe(0)
    expect(cells?.getCell(4)?.isInverse()).not.toBe(0)
    terminal.type("\u001b[<65;70;9M")
    await terminal.waitFor("esc back")
  })

  test("without the mouse text can be selected as anywhere", async () => {
    const terminal = board({ env: { NO_MOUSE: "1" } })
    await terminal.waitFor("q quit")
    expect(terminal.emulator.modes.mouseTrackingMode).toBe("none")
    expect(terminal.written).not.toContain("\u001b[?1000h")
  })

  test("o passes the terminal to the agent, and the board comes back", async () => {
    const terminal = board({ env: { AGENT: "sh -c 'echo agent here; read key'" } })
    await terminal.waitFor("o open in agent")
    terminal.type("o")
    await terminal.waitFor("agent here")
    expect(terminal.isAlternate()).toBe(false)
    expect(terminal.emulator.modes.mouseTrackingMode).toBe("none")
    terminal.type("\r")
    await terminal.waitFor("Back from Checkout page.")
    expect(terminal.isAlternate()).toBe(true)
    expect(terminal.emulator.modes.mouseTrackingMode).toBe("vt200")
  })

  test("a machine without agents gets advice", async () => {
    const terminal = board({ env: { BOARD: "empty" } })
    await terminal.waitFor("headway demo")
  })
})

describe("with an editor", () => {
  test("the editor has the terminal to itself, and the board comes back as it was", async () => {
    // Says what it found, changes the text, and waits for a key as an editor does.
    const editor = `sh -c 'stty -a | tr ";" "\\n" | grep -o -w -e "-*icanon"; echo editing; read key; sed -i s/Sketch/Draw/ "$1"' sh`
    const terminal = board({ env: { EDITOR: editor } })
    await terminal.waitFor("q quit")
    terminal.type("\r")
    await terminal.waitFor("esc back")
    terminal.type("jje")
    const screen = await terminal.waitFor("editing")
    expect(screen.join("\n")).toMatch(/^icanon$/m)
    expect(terminal.isAlternate()).toBe(false)
    expect(terminal.cursor().isHidden).toBe(false)
    terminal.type("\r")
    await terminal.waitFor("Draw the checkout page")
    expect(terminal.isAlternate()).toBe(true)
    expect(terminal.screen().some((line) => line.includes("│> ○ Test it with a real card"))).toBe(true)
    terminal.type("k")
    await terminal.waitFor("│> ○ Build it")
  })

  test("e pressed twice opens one editor", async () => {
    const editor = `sh -c 'echo opened >> opened; wc -l < opened; echo editing; read key' sh`
    const terminal = board({ env: { EDITOR: editor } })
    onTestFinished(() => rmSync(join(folder, "opened")))
    await terminal.waitFor("q quit")
    terminal.type("ee")
    await terminal.waitFor("editing")
    terminal.type("\r")
    await terminal.waitFor("Nothing was changed.")
    expect(readFileSync(join(folder, "opened"), "utf8")).toBe("opened\n")
    terminal.type("q")
    expect(await terminal.exited).toBe(0)
  })

  test("an interrupt meant for the editor does not end the board", async () => {
    const terminal = board({ env: { EDITOR: "sh -c 'trap \"exit 0\" INT; echo editing; read key' sh" } })
    await terminal.waitFor("q quit")
    terminal.type("e")
    await terminal.waitFor("editing")
    terminal.type("\u0003")
    await terminal.waitFor("Nothing was changed.")
    terminal.type("q")
    expect(await terminal.exited).toBe(0)
  })
})

describe("afterwards", () => {
  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("%s restores the terminal", async (signal) => {
    const terminal = board()
    await terminal.waitFor("q quit")
    process.kill(terminal.process.pid, signal)
    await terminal.exited
    expect(terminal.screen().join("\n")).toContain(`ended: ${signal}`)
    isGivenBack(terminal)
  })

  test("an uncaught error restores the terminal before it is printed", async () => {
    const terminal = board()
    await terminal.waitFor("q quit")
    process.kill(terminal.process.pid, "SIGURG")
    expect(await terminal.exited).not.toBe(0)
    expect(terminal.screen().join("\n")).toContain("something went wrong")
    isGivenBack(terminal)
  })

  test("the shell it was called from works as before", async () => {
    const terminal = await shell()
    terminal.type("q")
    await terminal.waitFor("ended: quit")
    terminal.type("stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' -e '-*echo' -e '-*isig'\r")
    await terminal.waitFor(/^isig\n(?:.*\n)*icanon\n(?:.*\n)*-?echo$/m)
    const lines = terminal.screen()
    expect(lines).toEqual(expect.arrayContaining(["isig", "icanon", "echo"]))
    isGivenBack(terminal)
  })

  test("ctrl+z stops it and leaves the shell usable, fg brings it back", async () => {
    const terminal = await shell()
    terminal.type("\u001a")
    await terminal.waitFor("Stopped")
    isGivenBack(terminal)
    terminal.type("echo still $((40 + 2)) here\r")
    await terminal.waitFor("still 42 here")
    terminal.type("fg\r")
    await terminal.waitFor("q quit")
    expect(terminal.isAlternate()).toBe(true)
    terminal.type("q")
    await terminal.waitFor("ended: quit")
  })

  test("SIGTSTP stops it as ctrl+z does, and after SIGSTOP it takes the terminal again", async () => {
    const terminal = await shell()
    terminal.type("\u001a")
    await terminal.waitFor("Stopped")
    terminal.type("echo job $(jobs -p) stopped\r")
    const screen = await terminal.waitFor(/^job \d+ stopped$/m)
    const job = Number(/^job (\d+)/m.exec(screen.join("\n"))?.[1])
    for (const signal of ["SIGTSTP", "SIGSTOP"]) {
      terminal.type("clear; fg\r")
      await terminal.waitFor("q quit")
      process.kill(job, signal)
      await terminal.waitFor("Stopped")
      terminal.type("clear; echo cleared by $((40 + 2))\r")
      await terminal.waitFor((text) => text.includes("cleared by 42") && !text.includes("q quit"))
    }
    terminal.type("fg\r")
    await terminal.waitFor("q quit")
    expect(terminal.isAlternate()).toBe(true)
    terminal.type("q")
    await terminal.waitFor("ended: quit")
    isGivenBack(terminal)
  })
})
