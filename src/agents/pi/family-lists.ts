/** What the readers of pi's formats need to know about a fork of pi: its list tools, and the list in their results. */
import type { Fields } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import type { OwnTool } from "../own-tool.ts"
import type { AskingTools } from "../questions.ts"

export type PiLists = {
  /** The call of a list tool and its input; undefined for any other tool. */
  called(name: unknown, args: unknown): (OwnTool & { input: unknown }) | "read from its result" | undefined
  /** The result of a list tool, with the whole list if its details contain it; undefined for any other tool. */
  answered(name: unknown, details: unknown): { list: Fields | undefined } | undefined
  /** The list in an entry that is neither a call nor a result. */
  beside?(entry: Fields): Fields | undefined
  snapshot(list: Fields, about: { session?: string | undefined; at?: unknown }): Signal
  /** The tools with which it asks the person. */
  asking?: AskingTools
  /** The details of an empty list. */
  empty: Fields
}
