/** The package as it would be published: what is in it, how large it is, and that it works where nothing else is. */
import { execFile, spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"
import { importsOf } from "../scripts/chunk-scripts.ts"
import { isShipped, limits, type Packed } from "../scripts/package-limits.ts"
import { dialects } from "../src/dialects/index.ts"
import { createDemoScript, createLoopback } from "../src/scripted/index.ts"
import { temporaryFolder } from "./stores/temporary.ts"
import { openTerminal } from "./terminal.ts"
import { packed, unpacked } from "./unpacked.ts"

const run = promisify(execFile)

let pack: Packed & { tarball: string }
let folder: string
beforeAll(async () => {
  pack = await packed()
  folder = await unpacked(pack.tarball)
}, 180_000)

const bin = (): string => join(folder, "node_modules/headway/dist/bin/headway.js")

/** An empty folder and an empty home, for each person who tries it. */
const person = () => {
  const home = temporaryFolder()
  return { cwd: home, env: { PATH: process.env.PATH ?? "", HOME: home, HEADWAY_HOME: join(home, ".headway") } }
}

const filesUnder = (place: string): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [join(one.parentPath, one.name)] : [],
  )

describe("the package", () => {
  test("stays within its size", () => {
    expect(pack.unpackedSize).toBeLessThanOrEqual(limits.unpacked)
    expect(pack.size).toBeLessThanOrEqual(limits.packed)
    expect(pack.files.length).toBeLessThanOrEqual(limits.files)
  })

  // On npm, "headway" is a package of someone else; this one is installed from its own folder.
  test("is nowhere installed by its name", () => {
    const files = ["README.md", ...["docs", "plugins", "src"].flatMap(filesUnder)]
    const byName = /npm (?:install|i)\b[^\n`"#]*\sheadway(?![\w./-])/
    expect(files.filter((file) => byName.test(readFileSync(file, "utf8")))).toEqual([])
  })

  test("contains the program, the library, the page, the guide, examples and what set-up copies", () => {
    expect(pack.files.map(({ path }) => path).filter((path) => !isShipped(path))).toEqual([])
  })

  test("has every file that its manifest and its pages name", () => {
    const own = join(folder, "node_modules/headway")
    const { bin, exports } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as {
      bin: Record<string, string>
      exports: Record<string, string | Record<string, string>>
    }
    const named = [
      ...Object.values(bin),
      ...Object.values(exports).flatMap((one) => Object.values(typeof one === "string" ? [one] : one)),
    ]
    expect(named.filter((path) => !existsSync(join(own, path)))).toEqual([])
    const declarations = pack.files.filter(({ path }) => path.endsWith(".d.ts"))
    const missing = declarations.flatMap(({ path }) =>
      [...readFileSync(join(own, path), "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)]
        .map(([, specifier = ""]) => join(dirname(path), specifier.replace(/\.[jt]sx?$/, ".d.ts")))
        .filter((target) => !existsSync(join(own, target))),
    )
    expect(missing).toEqual([])
  })
})

describe("installed in an empty folder, without a build", () => {
  test("the command prints its version, plays the demo and keeps a plan", async () => {
    const options = person()
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }
    const outputOf = async (...words: string[]) => (await run(process.execPath, [bin(), ...words], options)).stdout
    expect(await outputOf("--version")).toBe(`${version}\n`)
    expect(await outputOf("demo")).toContain("The demo is over.")
    expect(await outputOf("agent", "--model", "script:demo", "-p", "Write it")).toContain(
      "the rest of the plan stays open",
    )
    expect(await outputOf("list")).toContain("Writing slug.mjs")
    expect(await outputOf("doctor")).toContain("Headway")
  })

  test.each(["anthropic/a-model", "openai/a-model", "google/a-model", "local/a-model"])(
    "the agent works with %s",
    async (model) => {
      const { url, close } = await createLoopback(createDemoScript(dialects["claude-todos"]))
      const { cwd, env } = person()
      const keys = { ANTHROPIC_API_KEY: "none", OPENAI_API_KEY: "none", GEMINI_API_KEY: "none" }
      const addresses = {
        ANTHROPIC_BASE_URL: url,
        OPENAI_BASE_URL: `${url}/v1`,
        GOOGLE_GEMINI_BASE_URL: url,
        LOCAL_BASE_URL: `${url}/v1`,
      }
      try {
        const options = { cwd, env: { ...env, ...keys, ...addresses } }
        const { stdout } = await run(process.execPath, [bin(), "agent", "--model", model, "-p", "Write it"], options)
        expect(stdout).toContain("the rest of the plan stays open")
      } finally {
        await close()
      }
    },
  )

  test("the board opens", async () => {
    const { cwd, env } = person()
    const terminal = openTerminal(process.execPath, [bin()], { cwd, env })
    await terminal.waitFor(/\bq\b/)
    terminal.type("q")
    expect(await terminal.exited).toBe(0)
  })

  test("mcp lists its tools", async () => {
    const child = spawn(process.execPath, [bin(), "mcp"], { ...person(), stdio: ["pipe", "pipe", "inherit"] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const clientInfo = { name: "a client", version: "1" }
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({
      id: 1,
      result: { serverInfo: { name: "headway" } },
    })
    send({ method: "notifications/initialized" })
    send({ id: 2, method: "tools/list" })
    const { result } = JSON.parse((await lines.next()).value as string) as { result: { tools: { name: string }[] } }
    expect(result.tools.length).toBeGreaterThan(0)
    const ended = new Promise((done) => child.on("exit", done))
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  test("serve has its page", async () => {
    const child = spawn(process.execPath, [bin(), "serve", "--port", "0", "--json"], {
      ...person(),
      stdio: ["ignore", "pipe", "inherit"],
    })
    try {
      let printed = ""
      for await (const chunk of child.stdout) {
        printed += chunk
        if (printed.endsWith("}\n")) break
      }
      const { page } = JSON.parse(printed) as { page: string }
      const html = await (await fetch(page)).text()
      const script = new URL(/src="([^"]+\.js)"/.exec(html)?.[1] ?? "", page)
      const replies = await Promise.all(
        ["gzip", "identity"].map((encoding) => fetch(script, { headers: { "accept-encoding": encoding } })),
      )
      const seen = replies.map(({ status, headers }) => [status, headers.get("content-encoding")])
      expect(seen).toEqual([
        [200, "gzip"],
        [200, null],
      ])
      const [zipped, plain] = await Promise.all(replies.map((reply) => reply.text()))
      expect(zipped).toBe(plain)
      expect(replies[1]?.headers.get("content-type")).toContain("javascript")
    } finally {
      const ended = new Promise((done) => child.on("exit", done))
      child.kill("SIGTERM")
      await ended
    }
  })

  test("set-up writes the plugin that is in the package", async () => {
    const options = person()
    mkdirSync(join(options.cwd, ".config/opencode"), { recursive: true })
    await run(process.execPath, [bin(), "setup", "opencode"], options)
    expect(readFileSync(join(options.cwd, ".config/opencode/plugin/headway.js"), "utf8")).toContain("const calls = ")
  })
})

describe("in a program that uses it", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, object>
  const [dependencies, peers] = [manifest.dependencies, manifest.peerDependencies].map((one) =>
    Object.keys(one ?? {}),
  ) as [string[], string[]]
  const doors = Object.keys(manifest.exports ?? {})
    .filter((door) => door !== "./package.json")
    .map((door) => `headway${door.slice(1)}`)

  /** Packages the consumer has not installed are missing in our declarations, and only they. */
  const isMissingPeer = (line: string): boolean =>
    peers.includes(/error TS2307: Cannot find module '((?:@[^/']+\/)?[^/']+)/.exec(line)?.[1] ?? "")

  let consumer: string
  beforeAll(async () => {
    consumer = await unpacked(pack.tarball, [...dependencies, "@types/node", "@types/react"])
  })

  test.each([
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])(
    "every door has its types under module %s and resolution %s",
    async (module, moduleResolution) => {
      const lines = doors.map((door, at) => `import * as door${at} from ${JSON.stringify(door)}`)
      const use = `import { createTodoManager, type Plan, type TodoManager } from "headway"
      const manager: TodoManager = createTodoManager()
      export const wrong: Plan = manager
      export const all = [${doors.map((_, at) => `door${at}`).join()}]`
      writeFileSync(join(consumer, "package.json"), '{"type":"module"}')
      writeFileSync(join(consumer, "use.ts"), [...lines, use].join("\n"))
      const strictly = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false }
      const compilerOptions = {
        module,
        moduleResolution,
        target: "es2023",
        jsx: "react-jsx",
        noEmit: true,
        types: ["node"],
        ...strictly,
      }
      writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }))
      const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc")
      // It ends before collecting garbage would pay.
      const env = { ...process.env, GOGC: "off" }
      const { stdout } = await run(process.execPath, [tsc, "-p", ".", "--singleThreaded"], {
        cwd: consumer,
        env,
      }).catch((failed: { stdout: string }) => failed)
      const errors = stdout.split("\n").filter((line) => /error TS/.test(line) && !isMissingPeer(line))
      // The one mistake is found, so the types are there, and there is no other.
      expect(errors).toEqual([expect.stringMatching(/^use\.ts\(\d+,\d+\): error TS\d+: Type 'TodoManager' /)])
    },
    180_000,
  )

  test("the front door loads no React, no driver and no module of Node", () => {
    const own = join(folder, "node_modules/headway/dist/lib")
    const files = [join(own, "index.js")]
    const packages = new Set<string>()
    for (const path of files)
      for (const specifier of importsOf(readFileSync(path, "utf8")).now)
        if (!specifier.startsWith(".")) packages.add(specifier)
        else if (!files.includes(join(dirname(path), specifier))) files.push(join(dirname(path), specifier))
    expect([...packages].filter((name) => !["zod", "get-east-asian-width"].includes(name))).toEqual([])
  })
})
