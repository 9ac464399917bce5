/** The one server all test files of a run use: started by the first that asks, ended with the run. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import postgres from "postgres"
import { initServer, type Server, startServer, stopServer } from "./server.ts"

type Started = Pick<Server, "port" | "folder" | "pid">

const variable = "HEADWAY_TEST_RUN"

/** Called by Vitest before the run, in the process that outlives all tests; returns what it calls after it. */
export const setup = (): (() => Promise<void>) => {
  const run = mkdtempSync(join(tmpdir(), "headway-run-"))
  process.env[variable] = JSON.stringify({ folder: run, pid: process.pid })
  return async () => {
    const started = startedIn(run)
    if (started && "pid" in started) {
      await stopServer(started)
      rmSync(started.folder, { recursive: true, force: true })
    }
    rmSync(run, { recursive: true, force: true })
  }
}

const startedIn = (run: string): Started | { failed: string } | undefined => {
  try {
    return JSON.parse(readFileSync(join(run, "server.json"), "utf8"))
  } catch {
    return undefined
  }
}

/** Of several workers that ask at once, the one that makes the folder starts it. */
const theServer = async (): Promise<Started> => {
  const { folder: run, pid: until } = JSON.parse(process.env[variable] ?? "{}") as { folder: string; pid: number }
  try {
    mkdirSync(join(run, "starting"))
  } catch {
    for (;;) {
      const started = startedIn(run)
      if (started && "failed" in started) throw new Error(started.failed)
      if (started) return started
      await wait(20)
    }
  }
  const tell = (value: object): void => {
    writeFileSync(join(run, "server.part"), JSON.stringify(value))
    // In one step, so that none reads half of it.
    renameIt(run)
  }
  try {
    const { port, folder, pid } = await startServer(initServer(), { until })
    tell({ port, folder, pid })
    return { port, folder, pid }
  } catch (cause) {
    tell({ failed: String(cause) })
    throw cause
  }
}

const renameIt = (run: string): void => {
  const { renameSync } = process.getBuiltinModule("node:fs")
  renameSync(join(run, "server.part"), join(run, "server.json"))
}

let known: Promise<Started> | undefined
let made = 0

/** The URL of a new, empty database. */
export const freshDatabase = async (): Promise<string> => {
  known ??= theServer()
  const { port } = await known
  made += 1
  const name = `t_${process.pid}_${made}_${Math.random().toString(36).slice(2, 8)}`
  const { superuser } = await import("./server.ts")
  const sql = postgres({
    host: "127.0.0.1",
    port,
    user: superuser.name,
    password: superuser.password,
    database: "postgres",
    max: 1,
  })
  await sql.unsafe(`create database ${name} template template0`)
  await sql.end()
  return `postgres://${superuser.name}:${encodeURIComponent(superuser.password)}@127.0.0.1:${port}/${name}`
}
