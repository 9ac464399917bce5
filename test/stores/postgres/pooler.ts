/** PgBouncer in front of a server, giving a connection to another client after each transaction. */
import { spawn } from "node:child_process"
import { chownSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { pgBouncer, serverUser } from "./programs.ts"
import { freePort, isOpen, superuser } from "./server.ts"

export type Pooler = { port: number; stop: () => Promise<void> }

/** `connections` is how many it has to the server, for however many clients. */
export const startPooler = async (serverPort: number, connections: number): Promise<Pooler> => {
  const program = pgBouncer()
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), "headway-pooler-"))
  const port = await freePort()
  const files = {
    "users.txt": `"${superuser.name}" "${superuser.password}"\n`,
    "pooler.ini": `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
    "pooler.log": "",
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text)
    if (user) chownSync(join(folder, name), user.uid, user.gid)
  }
  if (user) chownSync(folder, user.uid, user.gid)
  const log = openSync(join(folder, "pooler.log"), "a")
  const child = spawn(program, [join(folder, "pooler.ini")], { ...user, cwd: folder, stdio: ["ignore", log, log] })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start; see ${folder}/pooler.log`)
    await wait(20)
  }
  return {
    port,
    async stop() {
      child.kill("SIGTERM")
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
