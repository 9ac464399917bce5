/** The timer of the screens on a real pipe: silence is not measured while input is waiting to be read. */
import { execFileSync } from "node:child_process"
import { constants, openSync, writeSync } from "node:fs"
import { Socket } from "node:net"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { systemTimer } from "../../src/tui/terminal/pace.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const pipe = (): { reader: Socket; write: (text: string) => void } => {
  const path = join(temporaryFolder(), "pipe")
  execFileSync("mkfifo", [path])
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const reader = new Socket({ fd: descriptor, readable: true, writable: false })
  onTestFinished(() => void reader.destroy())
  return { reader, write: (text) => void writeSync(descriptor, text) }
}

/** Keeps the process busy, as a large paste does, for longer than the time that the timer was given. */
const holdUp = (): void => {
  const until = performance.now() + 5
  while (performance.now() < until) {}
}

test.skipIf(process.platform === "win32")(
  "a delayed process reads pending input before the time counts as over",
  async () => {
    const { reader, write } = pipe()
    const happened: string[] = []
    let callOff = (): void => {}
    reader.on("data", (data) => {
      happened.push(`read ${data}`)
      callOff()
    })
    // Only then the pipe is read.
    await new Promise(setImmediate)
    callOff = systemTimer.after(1, () => happened.push("called off too late"))
    const over = new Promise<void>((resolve) => {
      systemTimer.after(1, () => {
        happened.push("over")
        resolve()
      })
    })
    write("x")
    holdUp()
    await over
    expect(happened).toEqual(["read x", "over"])
  },
)
