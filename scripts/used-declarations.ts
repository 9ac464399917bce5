/** Declarations as the compiler writes them, without those that cannot be reached from the doors of the library. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

type Name = { path: string; name: string }
type File = {
  /** Each with the comments before it, in order. */
  statements: readonly string[]
  declared: ReadonlyMap<string, string>
  /** Names from other files, by those that they have here: for its own declarations, and for those who import this one. */
  imported: ReadonlyMap<string, Name>
  passedOn: ReadonlyMap<string, Name>
  kept: Set<string>
}

/** The texts of all files that are needed, by path. */
export const usedDeclarations = (doors: readonly string[]): Map<string, string> => {
  const files = new Map<string, File>()
  const fileAt = (path: string): File => {
    const file = files.get(path) ?? readFile(path)
    files.set(path, file)
    return file
  }
  const need = ({ path, name }: Name): void => {
    const file = fileAt(path)
    const statement = file.declared.get(name)
    const from = file.passedOn.get(name)
    if (statement !== undefined) keep(path, statement)
    else if (!from) throw new Error(`${path} declares no ${name}.`)
    else for (const one of file.statements) if (isPassingOn(one)) keep(path, one)
  }
  const keep = (path: string, statement: string): void => {
    const { declared, imported, passedOn, kept } = fileAt(path)
    if (kept.has(statement)) return
    kept.add(statement)
    const code = withoutComments(statement)
    for (const [, from = "", name = ""] of code.matchAll(/\bimport\("(\.[^"]+)"\)\.(\w+)/g))
      need({ path: besides(path, from), name })
    if (isPassingOn(statement)) for (const { as } of namesIn(code)) need(passedOn.get(as) ?? { path, name: as })
    else
      for (const word of wordsIn(code)) {
        const own = declared.get(word)
        const from = imported.get(word)
        if (from) need(from)
        else if (own !== undefined) keep(path, own)
      }
  }
  for (const path of doors.map((door) => join(door))) {
    for (const statement of fileAt(path).statements) if (!isImport(statement)) keep(path, statement)
  }
  return new Map([...files].filter(([, { kept }]) => kept.size > 0).map(([path, file]) => [path, textOf(file)]))
}

const readFile = (path: string): File => {
  const [declared, imported, passedOn] = [new Map<string, string>(), new Map<string, Name>(), new Map<string, Name>()]
  const statements = statementsIn(readFileSync(path, "utf8"))
  for (const statement of statements) {
    const code = withoutComments(statement)
    const name = /^(?:export )?(?:declare )?(?:const|let|function|class|type|interface|enum) ([\w$]+)/.exec(code)?.[1]
    const [, from] = /from "(\.[^"]+)";$/.exec(code) ?? []
    if (name !== undefined) declared.set(name, statement)
    else if (from !== undefined)
      for (const one of namesIn(code))
        (isImport(statement) ? imported : passedOn).set(one.as, { path: besides(path, from), name: one.name })
    else if (/^export (?:type )?\{/.test(code)) for (const { as } of namesIn(code)) declared.set(as, statement)
    else if (!isImport(code)) throw new Error(`${path} has a statement of another kind: ${code}`)
  }
  return { statements, declared, imported, passedOn, kept: new Set() }
}

/** The comments before a statement, and its first word: no other line begins with one of these. */
const beginning = /^(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)*(?:export|import|declare|type|interface)\b)/m

const statementsIn = (text: string): string[] =>
  text.split(beginning).reduce<string[]>((all, part) => {
    const last = all.at(-1)
    if (last !== undefined && withoutComments(last) === "") all[all.length - 1] = last + part
    else all.push(part)
    return all
  }, [])

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").trim()

const isImport = (statement: string): boolean => /^import\b/.test(withoutComments(statement))

const isPassingOn = (statement: string): boolean =>
  /^export (?:type )?\{[\s\S]*from "\./.test(withoutComments(statement))

const namesIn = (code: string): { name: string; as: string; text: string }[] =>
  (/\{([^}]*)\}/.exec(code)?.[1] ?? "").split(",").flatMap((part) => {
    const [, name, as = name] = /^\s*(?:type )?([\w$]+)(?: as ([\w$]+))?\s*$/.exec(part) ?? []
    return name === undefined || as === undefined ? [] : [{ name, as, text: part.trim() }]
  })

const wordsIn = (code: string): Set<string> => new Set(code.match(/[\w$]+/g))

const besides = (path: string, specifier: string): string =>
  join(dirname(path), specifier.replace(/\.[jt]sx?$/, ".d.ts"))

/** Imports name only what is used. */
const textOf = ({ statements, kept }: File): string => {
  const used = wordsIn(withoutComments([...kept].join("")))
  return statements
    .map((statement) => {
      if (!isImport(statement)) return kept.has(statement) ? statement : ""
      const names = namesIn(withoutComments(statement)).filter(({ as }) => used.has(as))
      const list = names.map(({ text }) => text).join(", ")
      return names.length === 0 ? "" : statement.replace(/(?<=^import (?:type )?)\{[^}]*\}/m, `{ ${list} }`)
    })
    .join("")
}
