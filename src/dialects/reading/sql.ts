/**
 * Reads a model's SQL statements on tables of todos: inserts, updates and deletes. Uses no database and never runs
 * them.
 */

/** The values of a row by column name in lower case. */
export type Row = Readonly<Record<string, string | null>>

/** The effect of a statement on one table. Without `where`, it applies to every row. */
export type Statement =
  | { kind: "insert"; table: string; rows: readonly Row[]; onConflict: "fail" | "replace" | "ignore" }
  | { kind: "update"; table: string; set: Row; where: Condition | undefined }
  | { kind: "delete"; table: string; where: Condition | undefined }
  /** It only reads, or does not change a table. */
  | { kind: "other" }
  /** It changes a table in a way that is not supported here. */
  | { kind: "unreadable"; table: string }

/** Whether a row matches. A missing column is null. */
export type Condition = (row: Row) => boolean

/** The statements of a text. An unreadable one does not affect the others. */
export const readStatements = (text: string): Statement[] => splitBy(tokensOf(text), ";").map(readStatement)

type Token = { text: string; kind: "word" | "quoted" | "string" | "sign" }

/** Matches strings, names in any quotes, words, numbers and signs. Comments and blanks are skipped. */
const pattern =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`([^`]*)`|\[([^[\]]*)\]|[\w.$]+|<>|!=|<=|>=|==|\|\||\S/g

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(pattern)].flatMap((match): Token[] => {
    const [all, string, double, tick, square] = match
    if (all.startsWith("--") || all.startsWith("/*")) return []
    if (string !== undefined) return [{ kind: "string", text: string.replaceAll("''", "'") }]
    const quoted = double?.replaceAll('""', '"') ?? tick ?? square
    if (quoted !== undefined) return [{ kind: "quoted", text: quoted }]
    return [{ kind: /^[\w.$]/.test(all) ? "word" : "sign", text: all }]
  })

const isSign = (token: Token | undefined, text: string): boolean => token?.kind === "sign" && token.text === text

const isWord = (token: Token | undefined, ...texts: string[]): boolean =>
  token?.kind === "word" && texts.includes(token.text.toLowerCase())

const splitBy = (tokens: readonly Token[], sign: string): Token[][] => {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isSign(token, "(")) depth += 1
    if (isSign(token, ")")) depth -= 1
    if (depth === 0 && isSign(token, sign)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

const readStatement = (tokens: readonly Token[]): Statement => {
  const [first, second, third, fourth] = tokens
  if (isWord(first, "insert", "replace")) return readInsert(tokens)
  if (isWord(first, "update")) return readUpdate(tokens)
  if (isWord(first, "delete") && isWord(second, "from")) {
    const table = identifierIn(third)
    if (fourth === undefined) return { kind: "delete", table, where: undefined }
    const where = isWord(fourth, "where") ? readCondition(tokens.slice(4)) : undefined
    return where ? { kind: "delete", table, where } : { kind: "unreadable", table }
  }
  // A statement that begins with WITH may still change something.
  const change = isWord(first, "with") ? tokens.findIndex((token) => isWord(token, "insert", "update", "delete")) : -1
  const into = tokens.slice(change + 1).find((token) => !isWord(token, "into", "from", "or", "replace", "ignore"))
  return change < 0 ? { kind: "other" } : { kind: "unreadable", table: identifierIn(into) }
}

/** A table's or column's name without the name of the database before it. */
const identifierIn = (token: Token | undefined): string => token?.text.toLowerCase().split(".").at(-1) ?? ""

const readInsert = (tokens: readonly Token[]): Statement => {
  const into = tokens.findIndex((token) => isWord(token, "into"))
  const table = identifierIn(tokens[into + 1])
  const unreadable: Statement = { kind: "unreadable", table }
  const values = tokens.findIndex((token) => isWord(token, "values"))
  if (into < 0 || values < 0) return unreadable
  const before = tokens.slice(into + 2, values)
  const columns = splitBy(inner(before), ",").map(([name]) => identifierIn(name))
  const conflict = tokens.findIndex((token, index) => index > values && isWord(token, "on", "returning"))
  const groups = splitBy(tokens.slice(values + 1, conflict < 0 ? tokens.length : conflict), ",")
  const rows = groups.map((group) => rowOf(columns, splitBy(inner(group), ",")))
  const read = rows.filter((row) => row !== undefined)
  if (columns.length === 0 || read.length < rows.length) return unreadable
  const doing = tokens.slice(0, into)
  const isIn = (part: readonly Token[], word: string): boolean => part.some((token) => isWord(token, word))
  const end = conflict < 0 ? [] : tokens.slice(conflict)
  const replaces = isWord(tokens[0], "replace") || isIn(doing, "replace") || isIn(end, "update")
  const onConflict = replaces ? "replace" : isIn(doing, "ignore") || isIn(end, "nothing") ? "ignore" : "fail"
  return { kind: "insert", table, rows: read, onConflict }
}

/** The text between the first parenthesis and the last. */
const inner = (tokens: readonly Token[]): readonly Token[] =>
  isSign(tokens[0], "(") && isSign(tokens.at(-1), ")") ? tokens.slice(1, -1) : []

const rowOf = (columns: readonly string[], values: readonly Token[][]): Row | undefined => {
  if (columns.length !== values.length) return undefined
  const row: Record<string, string | null> = {}
  for (const [index, column] of columns.entries()) {
    const value = literal(values[index] ?? [])
    if (value === undefined && !isTime(column)) return undefined
    row[column] = value ?? null
  }
  return row
}

/** Whether a column has a time, which models set with functions, and which is not needed. */
const isTime = (column: string): boolean => /_at$|^(?:created|updated|time|date)/.test(column)

const literal = (tokens: readonly Token[]): string | null | undefined => {
  const [token, ...others] = tokens
  if (!token || others.length > 0 || token.kind === "sign") return undefined
  if (token.kind !== "word") return token.text
  if (isWord(token, "null")) return null
  return /^[\d.]+$/.test(token.text) ? token.text : undefined
}

const readUpdate = (tokens: readonly Token[]): Statement => {
  const start = isWord(tokens[1], "or") ? 3 : 1
  const table = identifierIn(tokens[start])
  const unreadable: Statement = { kind: "unreadable", table }
  if (!isWord(tokens[start + 1], "set")) return unreadable
  const at = tokens.findIndex((token) => isWord(token, "where"))
  const returning = tokens.findIndex((token) => isWord(token, "returning"))
  const end = returning < 0 ? tokens.length : returning
  const assignments = splitBy(tokens.slice(start + 2, at < 0 ? end : at), ",")
  const set: Record<string, string | null> = {}
  for (const [name, equals, ...value] of assignments) {
    const column = identifierIn(name)
    const constant = literal(value)
    if (!isSign(equals, "=")) return unreadable
    if (constant !== undefined) set[column] = constant
    else if (!isTime(column)) return unreadable
  }
  const where = at < 0 ? undefined : readCondition(tokens.slice(at + 1, end))
  return at >= 0 && !where ? unreadable : { kind: "update", table, set, where }
}

/** Reads comparisons joined by AND, OR and NOT. Undefined for anything else. */
const readCondition = (tokens: readonly Token[]): Condition | undefined => {
  let at = 0
  const take = (): Token | undefined => tokens[at++]

  const either = (): Condition | undefined => joined(both, "or", (one, other) => (row) => one(row) || other(row))
  const both = (): Condition | undefined => joined(single, "and", (one, other) => (row) => one(row) && other(row))

  const joined = (
    part: () => Condition | undefined,
    word: string,
    join: (one: Condition, other: Condition) => Condition,
  ): Condition | undefined => {
    let found = part()
    while (found && isWord(tokens[at], word)) {
      at += 1
      const next = part()
      found = next && join(found, next)
    }
    return found
  }

  const single = (): Condition | undefined => {
    const isGroup = isSign(tokens[at], "(")
    if (isGroup || isWord(tokens[at], "not")) {
      groups += 1
      at += 1
      if (groups > mostGroups) return undefined
      const found = isGroup ? either() : single()
      if (isGroup) return isSign(take(), ")") ? found : undefined
      return found && ((row) => !found(row))
    }
    const name = take()
    return name && name.kind !== "string" && name.kind !== "sign" ? comparison(identifierIn(name)) : undefined
  }

  const comparison = (column: string): Condition | undefined => {
    const sign = take()
    const isNot = isWord(sign, "not")
    const operator = isNot ? take() : sign
    const turned = (condition: Condition | undefined): Condition | undefined =>
      condition && isNot ? (row) => row[column] != null && !condition(row) : condition
    if (isWord(operator, "in")) return turned(oneOf(column))
    if (isWord(operator, "like")) return turned(like(column))
    if (isWord(operator, "is")) return isNull(column)
    const value = literal(tokens.slice(at, at + 1))
    at += 1
    if (isNot || value == null) return undefined
    if (isSign(operator, "=") || isSign(operator, "==")) return (row) => row[column] === value
    const differs = isSign(operator, "!=") || isSign(operator, "<>")
    return differs ? (row) => row[column] != null && row[column] !== value : undefined
  }

  const oneOf = (column: string): Condition | undefined => {
    let close = at
    while (close < tokens.length && !isSign(tokens[close], ")")) close += 1
    const values = splitBy(inner(tokens.slice(at, close + 1)), ",").map(literal)
    if (values.length === 0 || values.includes(undefined)) return undefined
    at = close + 1
    const wanted = new Set(values)
    return (row) => row[column] != null && wanted.has(row[column])
  }

  const like = (column: string): Condition | undefined => {
    const wanted = literal(tokens.slice(at, at + 1))
    at += 1
    // Only `%` at the beginning or end is supported, because a general pattern could be very slow.
    const [, start = "", text = "", end = ""] = /^(%?)([^%_]*)(%?)$/.exec(wanted ?? "_") ?? []
    if (wanted == null || (start + text + end).length !== wanted.length || text === "") return undefined
    const part = text.toLowerCase()
    return (row) => {
      const value = (row[column] ?? "").toLowerCase()
      if (start && end) return value.includes(part)
      return start ? value.endsWith(part) : end ? value.startsWith(part) : value === part
    }
  }

  const isNull = (column: string): Condition | undefined => {
    const isNot = isWord(tokens[at], "not")
    if (isNot) at += 1
    if (!isWord(take(), "null")) return undefined
    return (row) => (row[column] == null) !== isNot
  }

  let groups = 0
  const condition = either()
  return at === tokens.length ? condition : undefined
}

/** The most nested parentheses and negations. */
const mostGroups = 100
