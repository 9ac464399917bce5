/** The contract of a tool that is compared: where it comes from, and how it does the same work as the others. */

/** Where a peer works: a project folder and a home of its own. */
export type Place = { folder: string; home: string }

/** A program as it is started. */
export type Call = {
  program: string
  words: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  input?: string
}

export type Source =
  /** A package of npm, at the version that was tried, and the name of its program. */
  | { npm: string; version: string; program: string }
  /** A package of Debian, and the path of its program in it. */
  | { debian: string; program: string }
  /** This project. */
  | { own: true }

/** Todos and how many of them are done, as the files of the peer say. Reading a broken store throws. */
export type Stored = { todos: number; done: number }

export type Peer = {
  id: string
  title: string
  source: Source
  /** Writes a store with this many pending todos, numbered from 1, in the peer's own format. */
  seed(place: Place, count: number, program: string): void
  read(place: Place, program: string): Stored
  /** Its command line; a peer that is only an MCP server has none. */
  cli?: {
    version: readonly string[]
    list: readonly string[]
    create(text: string): readonly string[]
    /** Marks the todo with this number as done. */
    finish(number: number): readonly string[]
    env?(place: Place): Record<string, string>
    /** Exit codes other than 0 that are no failure. */
    alsoFine?: readonly number[]
  }
  mcp?: {
    /** The program, where it is not that of the command line. */
    program?: string
    words: readonly string[]
    env?(place: Place): Record<string, string>
    /** The call that changes the todo with this number so that `read` counts it as done. */
    finish(number: number, place: Place): { name: string; arguments: Record<string, unknown> }
  }
  /** What a reader has to know to judge its figures. */
  note?: string
}

export const textOf = (number: number): string => `Write part ${number} of the report`
