/**
 * An agent that says what was recorded of a real one: `fake-agent.mjs FILE [--exit CODE] [--socket PATH] [--ignore SIGNALS [--aloud]]`.
 * Without a socket it prints the file and ends. With one it does what it is told, a JSON line at a time, and answers each.
 */
import { spawn } from "node:child_process"
import { readFileSync, writeSync } from "node:fs"
import { connect } from "node:net"
import { createInterface } from "node:readline"
import { parseArgs } from "node:util"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    exit: { type: "string" },
    socket: { type: "string" },
    ignore: { type: "string" },
    aloud: { type: "boolean" },
  },
})
const lines = positionals.flatMap((path) => readFileSync(path, "utf8").split("\n").filter(Boolean))
const code = Number(values.exit ?? 0)

const print = (text, descriptor = 1) => {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (cause) {
      if (cause.code !== "EAGAIN") throw cause
    }
  }
}

for (const signal of (values.ignore ?? "").split(",").filter(Boolean))
  process.on(signal, () => values.aloud && print(`ignores ${signal}\n`, 2))

const orders = {
  /** The next lines of the recording. */
  lines: (count) => print(`${lines.splice(0, count).join("\n")}\n`),
  text: (text) => print(text),
  error: (text) => print(text, 2),
  /** Somebody stays behind and keeps the output open; answers who. */
  leave: (seconds) => {
    const left = spawn("sleep", [String(seconds)], { stdio: "inherit" })
    left.unref()
    return left.pid
  },
  /** Answers who started it. */
  parent: () => process.ppid,
  exit: (with_) => process.exit(with_),
}

if (values.socket === undefined) {
  print(lines.map((line) => `${line}\n`).join(""))
  process.exitCode = code
} else {
  const socket = connect(values.socket)
  createInterface({ input: socket }).on("line", (line) => {
    const answers = Object.entries(JSON.parse(line)).map(([name, value]) => orders[name](value))
    socket.write(`${JSON.stringify(answers)}\n`)
  })
}
