// A client as agents are: one process that starts our server and calls our hooks through a shell. Orders come on standard
// input, one JSON value a line: {"call": input}, {"hook": agent, "event": event}, or {"isServerGone": true} to wait for the
// end of the server; what came of it goes to standard output.
import { spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"

const [bin, name, ...words] = process.argv.slice(2)
const server = spawn(process.execPath, [bin, "mcp", ...words], { stdio: ["pipe", "pipe", "ignore"] })
const waiting = new Map()
createInterface({ input: server.stdout }).on("line", (line) => {
  const { id, result } = JSON.parse(line)
  waiting.get(id)?.(result)
})

let number = 0
const ask = (method, params) =>
  new Promise((resolve) => {
    number += 1
    waiting.set(number, resolve)
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: number, method, params })}\n`)
  })

const clientInfo = { name, version: "1" }
await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo })
server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)

const ended = new Promise((resolve) => server.on("close", () => resolve("ended")))

const run = async ({ call, hook, event, isServerGone }) => {
  if (isServerGone) return ended
  if (hook === undefined) return (await ask("tools/call", { name: "todo", arguments: call })).content[0].text
  const command = `"${process.execPath}" "${bin}" hook ${hook}; true`
  return spawnSync("/bin/sh", ["-c", command], { input: JSON.stringify(event), encoding: "utf8" }).stdout
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`)
}
server.stdin.end()
server.on("close", () => process.exit(0))
