/** The rules of the code, checked by reading its files: imports, rows, fixtures, names, lengths, docs. */
import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { pages, withTables } from "../scripts/readme-tables.ts"
import { agents } from "../src/agents/index.ts"
import { dialects } from "../src/dialects/index.ts"
import { reminders } from "../src/guidance/reminders/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const entriesOf = (folder: string): Dirent[] =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder), { withFileTypes: true }) : []

/** All files under a folder, as paths from the root with forward slashes; none where it does not exist yet. */
const filesUnder = (folder: string): string[] =>
  entriesOf(folder).flatMap((found) =>
    found.isDirectory() ? filesUnder(`${folder}/${found.name}`) : [`${folder}/${found.name}`],
  )

const namesIn = (folder: string): string[] => entriesOf(folder).flatMap((one) => (one.isFile() ? [one.name] : []))

type Import = {
  from: string
  /** A path from the root, or the name of a package. */
  to: string
  isFile: boolean
  isType: boolean
  isDynamic: boolean
}

const clause = String.raw`(?:\w+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)|\w+`
const staticImport = new RegExp(String.raw`^(?:import|export)\s+(type\s+)?(?:${clause})\s+from\s+"([^"]+)"`, "gm")
const bareImport = /^import\s+"([^"]+)"/gm
const dynamicImport = /(?<!typeof )\bimport\(\s*"([^"]+)"\s*\)/g

/** Every import of a file. `import { type A }` counts as run-time: `verbatimModuleSyntax` still loads the file. */
const importsOf = (path: string): Import[] => {
  const text = read(path)
  const to = (specifier: string) => {
    const isFile = specifier.startsWith(".")
    const target = isFile ? normalize(join(dirname(path), specifier)).replaceAll("\\", "/") : specifier
    return { from: path, to: target, isFile }
  }
  return [
    ...[...text.matchAll(staticImport)].map(([, type, specifier = ""]) => ({
      ...to(specifier),
      isType: type !== undefined,
      isDynamic: false,
    })),
    ...[...text.matchAll(bareImport)].map(([, specifier = ""]) => ({
      ...to(specifier),
      isType: false,
      isDynamic: false,
    })),
    ...[...text.matchAll(dynamicImport)].map(([, specifier = ""]) => ({
      ...to(specifier),
      isType: false,
      isDynamic: true,
    })),
  ]
}

const sources = filesUnder("src").filter((path) => /\.tsx?$/.test(path))
const imports = new Map(sources.map((path) => [path, importsOf(path)]))
const allImports = [...imports.values()].flat()

/** A file loads these as soon as it is loaded itself. */
const loadedBy = (path: string): Import[] =>
  (imports.get(path) ?? []).filter(({ isType, isDynamic }) => !isType && !isDynamic)

/** `index.ts` stands in no room; it is one by itself. */
const roomOf = (path: string): string => path.split("/")[1] ?? ""

/** How far a room may know another: all of it, the file that states its contract, or its types. */
type Reach = "all" | "contract" | "types"

const kernel = { plan: "all", dialects: "all", guidance: "all", views: "all" } as const
const screen = {
  board: "all",
  tracker: "all",
  plan: "all",
  views: "all",
  "reference-agent": "types",
  // A run is shown as the events that are read of it.
  streams: "types",
} as const

const mayImport: Record<string, Partial<Record<string, Reach>> | "everything"> = {
  plan: {},
  views: { plan: "all" },
  home: { plan: "all" },
  dialects: { plan: "all", views: "all" },
  guidance: { plan: "all", views: "all" },
  streams: { plan: "all", dialects: "all" },
  evidence: { plan: "all", streams: "types" },
  stores: { plan: "all", home: "all" },
  // Of guidance the sentence that tells an agent of a person's edits, unless a caller brings another.
  tracker: { plan: "all", home: "all", dialects: "contract", stores: "contract", guidance: "all" },
  // Of home the reading of foreign files: what agents left on disk is opened through it alone.
  agents: { plan: "all", dialects: "all", streams: "all", home: "all", sessions: "types", bridges: "types" },
  sessions: { plan: "all", streams: "all", evidence: "all", agents: "all", home: "all" },
  // Of home the reading of foreign files: which repository a folder belongs to is written in one.
  board: {
    plan: "all",
    views: "all",
    tracker: "all",
    sessions: "all",
    evidence: "all",
    stores: "contract",
    home: "all",
  },
  tui: screen,
  web: screen,
  host: { ...kernel, tracker: "all" },
  // Of home the holding of folders: what a model reads and writes stays where the person permitted it.
  "reference-agent": { ...kernel, tracker: "all", host: "all", home: "all" },
  scripted: { plan: "all", dialects: "all" },
  // Of streams the splitting of bytes into lines.
  bridges: {
    ...kernel,
    tracker: "all",
    host: "all",
    home: "all",
    stores: "all",
    streams: "all",
    sessions: "all",
    agents: "all",
  },
  "index.ts": { ...kernel, tracker: "all", host: "all", stores: "all" },
  cli: "everything",
}

const isAllowed = ({ from, to, isType }: Import): boolean => {
  const [room, other] = [roomOf(from), roomOf(to)]
  const known = mayImport[room]
  if (room === other || known === "everything") return true
  const reach = known?.[other]
  if (reach === "types") return isType
  return reach === "all" || (reach === "contract" && to === `src/${other}/${other.slice(0, -1)}.ts`)
}

const rooms: ReadonlySet<string> = new Set(sources.map(roomOf))

const arrow = ({ from, to }: Import): string => `${from} → ${to}`

describe("rooms", () => {
  test("every import is found and leads to a file of the house, with its extension", () => {
    const written = sources.flatMap((path) => [...read(path).matchAll(/(?:\bfrom|\bimport\() ?"\.{1,2}\/[^"]+"/g)])
    expect(allImports.filter(({ isFile }) => isFile)).toHaveLength(written.length)
    expect(allImports.filter(({ to, isFile }) => isFile && !existsSync(join(root, to))).map(arrow)).toEqual([])
  })

  test("every room is in the table", () => {
    expect(sources.filter((path) => !Object.hasOwn(mayImport, roomOf(path)))).toEqual([])
  })

  test("a room imports only what the table allows", () => {
    expect(allImports.filter((one) => one.isFile && !isAllowed(one)).map(arrow)).toEqual([])
  })

  test("no room imports the command line", () => {
    expect(allImports.filter(({ from, to }) => roomOf(to) === "cli" && roomOf(from) !== "cli").map(arrow)).toEqual([])
  })

  test("the plan imports no package and no Node module", () => {
    expect(allImports.filter(({ from, isFile }) => roomOf(from) === "plan" && !isFile).map(arrow)).toEqual([])
  })

  test("files of others are opened in one place only", () => {
    const readers = [
      ...sources.filter((path) => ["streams", "sessions", "agents"].includes(roomOf(path))),
      ...readersOfForeignFiles,
    ]
    const importsFs = /^import (?:\{([^}]*)\}|.+) from "node:fs(\/promises)?"/gm
    const isOpening = ([, names, promises]: readonly (string | undefined)[]): boolean =>
      names === undefined || promises !== undefined || /\b(?:open|read(?!dir|link)|createReadStream)/.test(names)
    expect(readersOfForeignFiles.filter((path) => !sources.includes(path))).toEqual([])
    expect(readers.filter((path) => [...read(path).matchAll(importsFs)].some(isOpening))).toEqual([])
  })

  // Two are words of ours, and the others are words of the language.
  test.each([
    [["streams"], ["acp", "headway", "continue"]],
    [
      ["evidence", "tracker", "stores", "guidance", "sessions"],
      ["acp", "headway", "continue", "cursor"],
    ],
  ])("no agent is named in %j", (rooms, words) => {
    const names = Object.values(agents).flatMap(({ id, shortNames }) => [id, ...shortNames])
    const foreign = new RegExp(`\\b(?:${names.filter((name) => !words.includes(name)).join("|")})\\b`, "i")
    expect(sources.filter((path) => rooms.includes(roomOf(path)) && foreign.test(read(path)))).toEqual([])
  })

  test("no files import each other in a circle, statically or dynamically", () => {
    expect(sources.flatMap(circlesFrom)).toEqual([])
  })

  test("a file whose name begins with _ is imported from its own folder only", () => {
    const isPrivate = ({ from, to }: Import): boolean => basename(to).startsWith("_") && dirname(to) !== dirname(from)
    expect(allImports.filter((one) => one.isFile && isPrivate(one)).map(arrow)).toEqual([])
  })

  test("readers of an agent's files and streams load no dialect: each of them is built as a separate part", () => {
    const parts = sources.filter((path) => /^src\/agents\/[^/]+\/(?!index\.|_)/.test(path))
    const loading = parts.filter((path) => filesBehind(path).includes("src/dialects/index.ts"))
    // This one is a record of calls to any tool, so that every dialect may know a name.
    expect(loading).toEqual(["src/agents/atif/trajectory.ts"])
  })

  test("the door of streams loads no agent, store or screen before it is needed", () => {
    const rooms = filesBehind("src/bridges/streams.ts").map(roomOf)
    expect([...new Set(rooms)].toSorted()).toEqual(["bridges", "dialects", "plan", "streams", "views"])
  })

  test.each([
    "src/cli/main.ts",
    "src/cli/commands/show.ts",
    "src/dialects/index.ts",
    "src/tui/board/screen.ts",
    "src/bridges/streams.ts",
  ])("%s loads no heavy package", (path) => {
    expect(chainsToPackages(path).filter(({ name }) => heavy.includes(name))).toEqual([])
  })
})

/** Files outside the room of streams that read what others wrote; they go through `src/home/reading/foreign-file.ts` too. */
const readersOfForeignFiles = [
  "src/stores/root.ts",
  "src/cli/commands/events.ts",
  "src/cli/edit/editor.ts",
  "src/board/project.ts",
]

/** Packages that cost more to load than a small command takes. */
const heavy = ["zod", "react", "commander", "ink", "ai", "@ai-sdk"]

/** The circle a file stands on, told once: from its first member in the order of the alphabet. */
function circlesFrom(start: string): string[] {
  const waiting: string[][] = [[start]]
  const seen = new Set<string>()
  for (const path of waiting) {
    for (const { to, isType } of imports.get(path.at(-1) ?? "") ?? []) {
      if (isType) continue
      if (to === start) return start === path.toSorted()[0] ? [[...path, start].join(" → ")] : []
      if (seen.has(to)) continue
      seen.add(to)
      waiting.push([...path, to])
    }
  }
  return []
}

/** Every file of the house that is loaded with a file, itself included. */
function filesBehind(start: string): string[] {
  const found = [start]
  for (const path of found) {
    for (const { to, isFile } of loadedBy(path)) if (isFile && !found.includes(to)) found.push(to)
  }
  return found
}

/** Every package that is loaded with a file, and through which files. */
function chainsToPackages(start: string): { name: string; specifier: string; through: string }[] {
  expect(sources).toContain(start)
  const found: { name: string; specifier: string; through: string }[] = []
  const waiting: string[][] = [[start]]
  const seen = new Set([start])
  for (const path of waiting) {
    for (const { to, isFile } of loadedBy(path.at(-1) ?? "")) {
      if (seen.has(to)) continue
      if (!isFile) found.push({ name: to.split("/")[0] ?? to, specifier: to, through: path.join(" → ") })
      seen.add(to)
      if (isFile) waiting.push([...path, to])
    }
  }
  return found
}

/** Folders where a variant is one file and one row, and the files there that are not: contracts, and what others use. */
const tables: Record<string, readonly string[]> = {
  "src/dialects": ["dialect.ts", "checklist.ts", "checklist-plan.ts", "definition.ts", "offered-tools.ts", "strict.ts"],
  "src/stores": ["store.ts", "open-store.ts"],
  "src/guidance/reminders": ["reminder.ts"],
  "src/scripted/wires": ["wire.ts"],
  "src/reference-agent/tools": ["tool.ts", "define.ts", "paths.ts", "text-file.ts", "program-files.ts"],
  "src/cli/commands": [],
  "attack/attacks": ["attack.ts"],
  "compare/peers": ["peer.ts"],
  "compare/parts": ["part.ts"],
}

/** The file with the rows. That of the stores is apart from their door, so that the front door loads no module of Node. */
const tableOf = (folder: string): string => `${folder}/${folder === "src/stores" ? "open-store.ts" : "index.ts"}`

const variantsIn = (folder: string): string[] =>
  namesIn(folder).flatMap((name) =>
    name.startsWith("_") || name === "index.ts" || tables[folder]?.includes(name) ? [] : [name.replace(/\.tsx?$/, "")],
  )

describe("tables", () => {
  test.each(Object.keys(tables).filter((folder) => variantsIn(folder).length > 0))(
    "%s has a row for each file",
    (folder) => {
      const rows = importsOf(tableOf(folder)).map(({ to }) => to)
      expect(variantsIn(folder).filter((name) => !rows.includes(`${folder}/${name}.ts`))).toEqual([])
    },
  )

  test("every folder in src/agents is an agent with a row, named as the folder", () => {
    const folders = entriesOf("src/agents").flatMap((one) => (one.isDirectory() ? [one.name] : []))
    expect(Object.keys(agents).toSorted()).toEqual(folders.toSorted())
    expect(Object.entries(agents).filter(([name, { id }]) => name !== id)).toEqual([])
  })

  test.each<[string, Record<string, { id: string }>]>([
    ["src/dialects", dialects],
    ["src/guidance/reminders", reminders],
  ])("in %s a row, its id and its export are named as its file", (folder, rows) => {
    const camel = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const named = variantsIn(folder).filter((id) => {
      const row = Object.hasOwn(rows, id) ? rows[id] : undefined
      return row?.id === id && read(`${folder}/${id}.ts`).includes(`export const ${camel(id)}`)
    })
    expect(named.toSorted()).toEqual(variantsIn(folder).toSorted())
    expect(Object.keys(rows).toSorted()).toEqual(named.toSorted())
  })

  test("every reminder has a fixture and its line in the docs", () => {
    const page = read("docs/guide/07-what-the-model-is-told.md")
    const hasFixture = (id: string): boolean => existsSync(join(root, `test/fixtures/reminders/${id}.jsonl`))
    expect(Object.keys(reminders).filter((id) => !hasFixture(id) || !page.includes(`\n| \`${id}\` `))).toEqual([])
  })

  test("every dialect has a fixture", () => {
    const calls = read("test/fixtures/calls.jsonl").split("\n").filter(Boolean)
    const shared = new Set(calls.map((line) => (JSON.parse(line) as { dialect?: string }).dialect))
    const places = (id: string): string[] => [`dialects/${id}.jsonl`, `dialects/${id}`, id]
    const hasOwn = (id: string): boolean => places(id).some((place) => existsSync(join(root, "test/fixtures", place)))
    expect(Object.keys(dialects).filter((id) => !shared.has(id) && !hasOwn(id))).toEqual([])
  })

  test("every dialect has its line and its section in the docs", () => {
    const page = read("docs/dialects.md")
    const isTold = (id: string): boolean => page.includes(`\n| [\`${id}\`](#${id}) `) && page.includes(`\n## ${id}\n`)
    expect(Object.keys(dialects).filter((id) => !isTold(id))).toEqual([])
  })
})

describe("files", () => {
  const rooms = ["src", "test", "scripts", "examples", "bench", "compare", "interop", "attack"]
  const files = rooms.flatMap(filesUnder)

  test("no folder or file is a drawer for everything", () => {
    const drawers = /^_?(?:utils?|common|shared|helpers?)(?:\.|$)/
    expect(files.filter((path) => path.split("/").some((name) => drawers.test(name)))).toEqual([])
  })

  test("names are in kebab case", () => {
    const kebab = /^_?[a-z\d]+(?:-[a-z\d]+)*(?:\.[a-z\d]+)*$/
    const own = files.filter((path) => !path.startsWith("test/fixtures/"))
    expect(own.filter((path) => !path.split("/").every((name) => kebab.test(name)))).toEqual([])
  })

  test("every source file opens with a sentence that says what it is for", () => {
    const sentence = /^(?:#!.*\n)?\/\*\*\s*(?:[^*]|\*(?!\/))*[.?]\s*\*\/\n/
    expect(sources.filter((path) => !sentence.test(read(path)))).toEqual([])
  })

  test("exports have names", () => {
    const nameless = /^export (?:default\b|=|\*)|\bas default\b/m
    expect(sources.filter((path) => nameless.test(read(path)))).toEqual([])
  })

  test("no source file is longer than 450 lines", () => {
    expect(sources.filter((path) => read(path).trimEnd().split("\n").length > 450)).toEqual([])
  })

  test("every door of the package is a door of the house", () => {
    const manifest = JSON.parse(read("package.json")) as Record<"exports" | "peerDependencies", Record<string, unknown>>
    const { exports, peerDependencies } = manifest
    const isPeer = (name: string): boolean =>
      Object.keys(peerDependencies).some((one) => name === one || name.startsWith(`${one}/`))
    const doors = Object.entries(exports).filter(([door]) => door !== "./package.json")
    const wrong = doors.filter(([door, target]) => {
      const name = door === "." ? "" : door.slice(1)
      // A room, or one bridge into another program's agent.
      const room = name === "/agent" ? "/reference-agent" : name
      const path = [`/bridges${name}`, `${room}/index`].find((one) => existsSync(join(root, `src${one}.ts`)))
      const [types, built] = [`./dist/lib${path}.d.ts`, `./dist/lib${path}.js`]
      // What needs an optional peer is guarded: where that is missing the door says what to install.
      const peers = chainsToPackages(`src${path}.ts`).filter(({ specifier }) => isPeer(specifier))
      const guarded = { types, require: built, default: `./dist/lib/doors${name}.js` }
      const expected = peers.length > 0 ? guarded : { types, default: built }
      return path === undefined || JSON.stringify(target) !== JSON.stringify(expected)
    })
    expect(wrong).toEqual([])
  })

  test("what a door loads is installed with the package, or an optional peer of it", () => {
    const { exports, ...kinds } = JSON.parse(read("package.json")) as Record<string, Record<string, unknown>>
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = kinds
    const doors = Object.values(exports ?? {}).flatMap((target) =>
      typeof target === "string"
        ? []
        : [(target as { types: string }).types.replace("./dist/lib", "src").replace(".d.ts", ".ts")],
    )
    const offered = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
    const isOffered = (name: string): boolean =>
      name.startsWith("node:") || offered.some((one) => name === one || name.startsWith(`${one}/`))
    expect(doors.flatMap(packagesBehind).filter((name) => !isOffered(name))).toEqual([])
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies))
  })
})

/** Files that hold what only these may hold, each for the reason beside it. */
const only = {
  /** `process.stdout`, `process.stderr`, `console`, and writing to their descriptors. */
  streams: [
    "src/cli/process-io.ts", // behind the door
    "src/cli/agent/plain-screen.ts", // the reference agent, where nothing can be drawn
    "src/tui/agent/screen.tsx", // its screen, for hosts that pass no streams
    "src/tui/terminal/use-terminal-size.ts", // asks for columns
    "src/scripted/demo-script.ts", // the text of a program
  ],
  /** Characters that steer a terminal. */
  controls: [
    "src/plan/text/visible.ts", // writes them out
    "src/cli/door.ts", // our gestures
    "src/tui/terminal/frame-writer.ts", // draws the board's rows
    "src/tui/terminal/key-codes.ts", // knows keys by them
    "src/tui/terminal/keyboard.ts", // waits for what follows one
    "src/tui/terminal/live-region.ts", // keeps rows in place
    "src/tui/terminal/paint.ts", // our styles
    "src/tui/terminal/terminal-modes.ts", // takes the screen and gives it back
    "src/tui/agent/transcript.ts", // finds the start of one
    "src/plan/text/sanitise.ts", // takes them out
    "src/dialects/reading/python.ts", // reads them
  ],
  /** Writing to a stream that may be a terminal. */
  writes: [
    "src/bridges/mcp/stdio.ts", // messages, to a stream that escapes them
    "src/cli/process-io.ts",
    "src/cli/agent/plain-screen.ts",
    "src/tui/agent/screen.tsx",
    "src/tui/terminal/frame-writer.ts", // takes `Painted` rows only
    "src/tui/terminal/live-region.ts", // takes lines and `Painted` rows only
    "src/tui/terminal/terminal-modes.ts",
  ],
  /** Ink's `Text`, which draws whatever it is given. */
  inkText: ["src/tui/components/line.tsx", "src/tui/components/lines.tsx"],
}

describe("the terminal", () => {
  const holding = (pattern: RegExp): string[] => sources.filter((path) => pattern.test(read(path)))
  const others = (pattern: RegExp, allowed: readonly string[]): string[] =>
    holding(pattern).filter((path) => !allowed.includes(path))

  test("is reached through the door and the screens alone", () => {
    expect(others(/\bprocess\.std(?:out|err)\b|\bconsole\.\w|\bwriteSync\((?:1|2|descriptor)\b/, only.streams)).toEqual(
      [],
    )
    expect(others(/\b(?:output|stdout|stderr)\.write\(/, only.writes)).toEqual([])
  })

  test("is steered by our styles, gestures and screens alone", () => {
    expect(others(/\\u00(?:1b|07|9[0-9a-f])|\\x(?:1b|07|9[0-9a-f])|\\e\[|\\033/i, only.controls)).toEqual([])
  })

  test("shows no text of Ink that was not made safe", () => {
    const importsText = /import \{[^}]*\bText\b[^}]*\} from "ink"/
    expect(others(importsText, only.inkText)).toEqual([])
  })

  test("shows the source as it is: no file contains an invisible character", () => {
    const hidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Cs}\u2028\u2029]|(?![\ufe0f])\p{Default_Ignorable_Code_Point}/u
    expect(holding(hidden)).toEqual([])
  })
})

describe("the disk", () => {
  test("modes are changed on open files, never by name: another user may have put a link there", () => {
    expect(sources.filter((path) => /(?<![.\w])l?chmod(?:Sync)?\(/.test(read(path)))).toEqual([])
  })
})

/** Every package that a file loads, at once or when it is asked to. */
function packagesBehind(start: string): string[] {
  const waiting = [start]
  const seen = new Set(waiting)
  const found = new Set<string>()
  for (const path of waiting) {
    for (const { to, isFile, isType } of imports.get(path) ?? []) {
      if (isType || seen.has(to)) continue
      seen.add(to)
      if (isFile) waiting.push(to)
      else found.add(to)
    }
  }
  return [...found]
}

describe("docs", () => {
  const docs = [...namesIn("."), ...filesUnder("docs")].filter((path) => path.endsWith(".md"))

  test.each(pages)("the tables of %s are those of the source", async (page) => {
    expect(await withTables(read(page)), 'run "npm run readme"').toBe(read(page))
  })

  test("the README and AGENTS.md are short enough to be read to the end", () => {
    expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150)
    expect(read("AGENTS.md").trimEnd().split("\n").length).toBeLessThanOrEqual(60)
  })

  test("every link leads to a file", () => {
    const links = docs.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = ""]) => join(dirname(page), link)),
    )
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([])
  })

  test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("every source file that %s names exists", (page) => {
    const named = read(page).matchAll(/(?<![\w/-])(?:src\/)?((?:[a-z][a-z-]*\/)+[\w-]+\.tsx?)\b/g)
    const paths = [...named].map(([, path = ""]) => path).filter((path) => rooms.has(path.split("/")[0] ?? ""))
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !path.includes("acme") && !existsSync(join(root, "src", path)))).toEqual([])
  })

  test("every source file that the reading orders name exists", () => {
    const named = ["ARCHITECTURE.md", "AGENTS.md"].flatMap((page) => read(page).match(/\bsrc\/[\w/.-]+\.ts\b/g) ?? [])
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
