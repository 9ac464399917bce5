/** A real PostgreSQL server for tests, on a free port, with its data in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { postgresPrograms, programIn, serverUser } from "./programs.ts"

export type Server = {
  port: number
  folder: string
  /** Of the server's first process. */
  pid: number
  /** The URL of a database of it. */
  url: (database?: string, user?: string, password?: string) => string
}

export const superuser = { name: "headway_tests", password: "open sesame" }

const timeLimit = 60_000

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

export type ServerOptions = {
  /** Whether what is committed is on the disk. @default false */
  isDurable?: boolean
  /** More lines of its configuration. */
  settings?: Record<string, string>
}

/** Makes an empty cluster: once in a run of the tests, all others are copies of it. */
const initData = (data: string, folder: string): void => {
  // The folder of a run is its own and goes with it.
  if (process.env.HEADWAY_TEST_TMPDIR === undefined) {
    makeCluster(data, folder)
    return
  }
  const made = join(tmpdir(), "empty-cluster")
  if (!existsSync(made)) {
    const part = join(folder, "empty-cluster")
    makeCluster(part, folder)
    try {
      renameSync(part, made)
    } catch (cause) {
      // Another worker has made it meanwhile.
      if (!existsSync(made)) throw cause
      rmSync(part, { recursive: true })
    }
  }
  execFileSync("cp", ["-a", made, data])
}

const makeCluster = (data: string, folder: string): void => {
  const user = serverUser()
  mkdirSync(data, { mode: 0o700 })
  const password = join(folder, "password")
  writeFileSync(password, superuser.password)
  if (user) for (const path of [data, password]) chownSync(path, user.uid, user.gid)
  execFileSync(
    programIn(postgresPrograms(), "initdb"),
    [
      ...["-D", data, "-U", superuser.name, "--pwfile", password, "--auth", "scram-sha-256"],
      ...["--encoding", "UTF8", "--locale", "C", "--no-sync"],
    ],
    { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  )
}

/** Makes a folder with an empty cluster in it. */
export const initServer = ({ isDurable = false, settings = {} }: ServerOptions = {}): string => {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), "headway-postgres-"))
  // The user who runs the server gets through to its data.
  chmodSync(folder, 0o755)
  const data = join(folder, "data")
  initData(data, folder)
  const log = join(folder, "server.log")
  writeFileSync(log, "")
  if (user) for (const path of [log, folder]) chownSync(path, user.uid, user.gid)
  const lines = {
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    max_connections: "120",
    fsync: isDurable ? "on" : "off",
    synchronous_commit: isDurable ? "on" : "off",
    full_page_writes: isDurable ? "on" : "off",
    shared_buffers: "64MB",
    // Tests compare with what others wrote, in whatever place they run.
    timezone: "'UTC'",
    ...settings,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(data, "postgresql.auto.conf"), text.join(""))
  if (user) chownSync(join(data, "postgresql.auto.conf"), user.uid, user.gid)
  return folder
}

/** Starts the server of a folder and resolves when it takes connections. It ends with the process `until`, whatever happens. */
export const startServer = async (
  folder: string,
  {
    port = 0,
    until = process.pid,
    mostBytes = 0,
  }: { port?: number; until?: number /** Of each of its files. */; mostBytes?: number } = {},
): Promise<Server> => {
  const programs = postgresPrograms()
  const chosen = port || (await freePort())
  const path = join(folder, "server.log")
  const before = statSync(path).size
  const log = openSync(path, "a")
  const words = ["-D", join(folder, "data"), "-p", String(chosen)]
  // A shell counts in blocks of 512 bytes.
  const limit = mostBytes === 0 ? "" : `ulimit -f ${Math.ceil(mostBytes / 512)}; `
  const child = spawn("sh", ["-c", `${limit}exec "$0" "$@"`, programIn(programs, "postgres"), ...words], {
    ...serverUser(),
    cwd: folder,
    detached: true,
    stdio: ["ignore", log, log],
  })
  const failed = once(child, "error").then(([cause]) => {
    throw cause
  })
  child.unref()
  await Promise.race([whenListening(() => readFileSync(path, "utf8").slice(before), chosen, child), failed])
  const pid = child.pid ?? 0
  watchOver(pid, until)
  const url = (database = "postgres", user = superuser.name, password = superuser.password): string =>
    `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${chosen}/${encodeURIComponent(database)}`
  return { port: chosen, folder, pid, url }
}

const whenListening = async (logged: () => string, port: number, child: ChildProcess): Promise<void> => {
  const ends = Date.now() + timeLimit
  for (;;) {
    const log = logged()
    if (child.exitCode !== null || Date.now() > ends) throw new Error(`PostgreSQL did not start:\n${log.slice(-2_000)}`)
    if (log.includes("database system is ready to accept connections") && (await isOpen(port))) return
    await wait(20)
  }
}

export const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const end = (result: boolean) => () => {
      socket.destroy()
      resolve(result)
    }
    socket.once("connect", end(true)).once("error", end(false))
  })

/** Test runs are stopped in many ways, and not all of them let a run put away what it started. */
const watchOver = (pid: number, until: number): void => {
  const text =
    'while kill -0 "$1" 2>/dev/null && kill -0 "$2" 2>/dev/null; do sleep 2; done; kill -QUIT "$2" 2>/dev/null'
  spawn("sh", ["-c", text, "sh", String(until), String(pid)], { detached: true, stdio: "ignore" }).unref()
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** `SIGINT` ends it properly, `SIGKILL` as a power cut would. Resolves when it and its processes are gone. */
export const stopServer = async (
  { pid, port }: Pick<Server, "pid" | "port">,
  signal: NodeJS.Signals = "SIGINT",
): Promise<void> => {
  try {
    process.kill(signal === "SIGKILL" ? -pid : pid, signal)
  } catch {}
  const ends = Date.now() + timeLimit
  while ((isRunning(pid) || (await isOpen(port))) && Date.now() < ends) await wait(20)
}

export const removeServer = async (server: Server): Promise<void> => {
  await stopServer(server)
  rmSync(server.folder, { recursive: true, force: true })
}
