/** `headway serve` as a shell starts it: the address it prints, the token in it, and where that token never is. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { type CallToolResult, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { afterEach, describe, expect, test, vi } from "vitest"
import { announceCall } from "../../src/bridges/hooks/call-notes.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

const start = async (home: string, argv: string[] = [], cwd = home) => {
  const child = spawn(process.execPath, [bin, "serve", "--port", "0", ...argv], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  })
  children.push(child)
  let output = ""
  child.stderr.on("data", (chunk) => {
    output += chunk
  })
  const lines = createInterface({ input: child.stdout })
  const [page, mcp] = await firstLines(lines, 2)
  const stop = async (): Promise<string> => {
    child.kill("SIGTERM")
    expect(await once(child, "exit")).toEqual([0, null])
    return output
  }
  return { page: addressIn(page), address: addressIn(mcp), stop }
}

const firstLines = async (lines: AsyncIterable<string>, count: number): Promise<string[]> => {
  const found: string[] = []
  for await (const line of lines) {
    found.push(line)
    if (found.length === count) break
  }
  return found
}

const addressIn = (line = ""): URL => new URL(/https?:\S+/.exec(line)?.[0] ?? "")

const tokenIn = ({ searchParams }: URL): string => searchParams.get("token") ?? ""

/** 400 is past the gate: there is a token, and no session yet. */
const statusOf = async (address: URL, token: string): Promise<number> =>
  (await fetch(`${address.origin}${address.pathname}`, { headers: { authorization: `Bearer ${token}` } })).status

test("prints the addresses of the page and of MCP, whose token is kept and is replaced on request", async () => {
  const home = temporaryFolder()
  const first = await start(home)
  const token = tokenIn(first.address)
  expect([first.page.pathname, first.address.pathname]).toEqual(["/", "/mcp"])
  expect([first.page.host, tokenIn(first.page)]).toEqual([first.address.host, token])
  expect(first.address.hostname).toBe("127.0.0.1")
  expect(readFileSync(join(home, ".headway", "serve-token"), "utf8")).toBe(`${token}\n`)
  expect(statSync(join(home, ".headway", "serve-token")).mode & 0o777).toBe(0o600)
  expect([await statusOf(first.address, token), await statusOf(first.address, "none")]).toEqual([400, 401])
  expect(await first.stop()).not.toContain(token)
  const second = await start(home)
  expect(tokenIn(second.address)).toBe(token)
  await second.stop()
  const third = await start(home, ["--new-token"])
  const renewed = tokenIn(third.address)
  expect([await statusOf(third.address, renewed), await statusOf(third.address, token)]).toEqual([400, 401])
  expect(await third.stop()).toContain('"headway setup AGENT --http"')
  const fourth = await start(home)
  expect(tokenIn(fourth.address)).toBe(renewed)
  await fourth.stop()
})

test("a new token replaces the old one on a running server", async () => {
  const home = temporaryFolder()
  const running = await start(home)
  const old = tokenIn(running.address)
  const other = await start(home, ["--new-token"])
  const renewed = tokenIn(other.address)
  expect([await statusOf(running.address, old), await statusOf(running.address, renewed)]).toEqual([401, 400])
  rmSync(join(home, ".headway", "serve-token"))
  expect([await statusOf(running.address, renewed), await statusOf(running.address, "undefined")]).toEqual([401, 401])
  await running.stop()
  await other.stop()
})

test("where plans are kept in a project, the token is not", async () => {
  const home = temporaryFolder()
  const project = join(home, "project")
  mkdirSync(join(project, ".git"), { recursive: true })
  const { address, stop } = await start(home, ["--project"], project)
  await stop()
  const holders = Object.entries(contentsUnder(home)).filter(([, text]) => text.includes(tokenIn(address)))
  expect(holders.map(([path]) => path)).toEqual([join(home, ".headway", "serve-token")])
})

test("refuses a token others can read, and a port in use, and leaves the token as it is", async () => {
  const { run, home } = atHome()
  const { address, stop } = await start(home)
  const { port } = address
  const taken = await run(["serve", "--port", port, "--new-token"])
  expect(taken).toMatchObject({ code: 1, out: "" })
  expect(taken.err).toContain(`Port ${port} is in use`)
  expect(taken.err).not.toContain(tokenIn(address))
  expect(readFileSync(join(home, ".headway", "serve-token"), "utf8").trim()).toBe(tokenIn(address))
  await stop()
  chmodSync(join(home, ".headway", "serve-token"), 0o644)
  const refused = await run(["serve", "--port", "0"])
  expect(refused).toMatchObject({ code: 1, out: "" })
  expect(refused.err).toContain("can be read or written by other users")
  expect(refused.err).not.toContain(tokenIn(address))
  writeFileSync(join(home, ".headway", "serve-token"), "spoiled")
  for (const command of [["doctor"], ["doctor", "--json"], ["list"]])
    expect((await run(command)).out).not.toContain(tokenIn(address))
})

test("ends where a new token cannot be kept, and does not continue without one", async () => {
  const { run, home } = atHome()
  mkdirSync(join(home, ".headway", "serve-token"), { recursive: true, mode: 0o700 })
  expect(await run(["serve", "--port", "0", "--new-token"])).toMatchObject({ code: 1, out: "" })
  const child = spawn(process.execPath, [bin, "serve", "--port", "0", "--new-token"], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: "ignore",
  })
  children.push(child)
  expect(await once(child, "exit")).toEqual([1, null])
})

describe("an MCP client over HTTP", () => {
  const served = async () => {
    const { home, run } = atHome()
    const [shop, bank] = [join(home, "shop"), join(home, "bank")]
    for (const folder of [shop, bank]) mkdirSync(join(folder, ".git"), { recursive: true })
    const { address, stop } = await start(home, [], bank)
    const connect = async (name: string, { roots = [] as string[], query = "", answers = async () => {} } = {}) => {
      const capabilities = roots.length > 0 ? { roots: { listChanged: true } } : {}
      const client = new Client({ name, version: "1" }, { capabilities })
      if (roots.length > 0)
        client.setRequestHandler(ListRootsRequestSchema, async () => {
          await answers()
          return { roots: roots.map((uri) => ({ uri })) }
        })
      await client.connect(new StreamableHTTPClientTransport(new URL(`${address.href}${query}`)))
      return client
    }
    const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === "text" ? first.text : "")
    const add = async (client: Client, content: string): Promise<string> =>
      textOf((await client.callTool({ name: "todo", arguments: { todos: [{ content }] } })) as CallToolResult)
    const listed = async (): Promise<string[]> => {
      const plans: { project?: string; agentType?: string }[] = JSON.parse((await run(["list", "--json"])).out)
      return plans.map(({ project = "" }) => project)
    }
    return { home, shop, bank, stop, connect, add, listed }
  }

  test("of an agent whose hooks have not named its project is refused with a sentence, and nothing is written", async () => {
    const { shop, bank, stop, connect, add, listed } = await served()
    const roots = [shop, bank].map((folder) => `file://${folder}`)
    for (const client of [await connect("gemini-cli", { roots }), await connect("gemini-cli")]) {
      expect(await add(client, "Read")).toContain("does not know which one you work in")
      await client.close()
    }
    expect(await listed()).toEqual([])
    await stop()
  })

  test("of a program without hooks has its plan in the project where the server was started", async () => {
    const { bank, stop, connect, add, listed } = await served()
    const client = await connect("acme")
    expect(await add(client, "Read")).toContain("+ 1 Read")
    await client.close()
    expect(await listed()).toEqual([bank])
    await stop()
  })

  test("has its plan in the project that its address, its root or its hook names", async () => {
    const { home, shop, stop, connect, add, listed } = await served()
    const byAddress = await connect("acme", { query: `&project=${encodeURIComponent(shop)}` })
    const byRoot = await connect("acme", { roots: [`file://${shop}`] })
    const byHook = await connect("gemini-cli")
    const note = { session: "g-1", agent: "main", folder: shop }
    const client = { agentType: "google-gemini", process: { pid: 7, start: "1" } }
    announceCall(join(home, ".headway"), client, { todos: [{ content: "Read" }] }, note, new Date())
    for (const client of [byAddress, byRoot, byHook]) {
      expect(await add(client, "Read")).toContain("+ 1 Read")
      await client.close()
    }
    expect(await listed()).toEqual([shop, shop, shop])
    await stop()
  })

  test("keeps its plan where it began, although a folder is added to its roots", async () => {
    const { shop, bank, stop, connect, add, listed } = await served()
    const roots = [`file://${shop}`]
    const client = await connect("acme", { roots })
    expect(await add(client, "Read")).toContain("+ 1 Read")
    roots.push(`file://${bank}`)
    await client.sendRootsListChanged()
    expect(await add(client, "Write")).toContain("+ 2 Write")
    await client.close()
    expect(await listed()).toEqual([shop])
    await stop()
  })

  test("that is slow to name its root is waited for once, and is believed when it does", async () => {
    const { shop, stop, connect, add, listed } = await served()
    let [asked, reply] = [0, () => {}]
    const replied = new Promise<void>((resolve) => {
      reply = resolve
    })
    const answers = () => {
      asked += 1
      return replied
    }
    const client = await connect("gemini-cli", { roots: [`file://${shop}`], answers })
    for (const content of ["Read", "Write"])
      expect(await add(client, content)).toContain("does not know which one you work in")
    expect(asked).toBe(1)
    reply()
    await vi.waitFor(async () => expect(await add(client, "Read")).toContain("+ 1 Read"))
    await client.close()
    expect(await listed()).toEqual([shop])
    await stop()
  })

  test("gets no plan from a prompt if its session is not known, and its own if its connection is its session", async () => {
    const { shop, stop, connect, add } = await served()
    const query = `&project=${encodeURIComponent(shop)}`
    const [claude, acme] = [await connect("claude-code", { query }), await connect("acme", { query })]
    const prompted = async (client: Client) => (await client.getPrompt({ name: "todos" })).messages[0]?.content
    for (const client of [claude, acme]) expect(await add(client, "Read")).toContain("+ 1 Read")
    expect(await prompted(claude)).toMatchObject({ text: expect.stringContaining("cannot tell which session") })
    expect(await prompted(acme)).toMatchObject({ text: expect.stringContaining("#1 [pending] Read") })
    for (const client of [claude, acme]) await client.close()
    await stop()
  })
})
