/** What the readers of pi's formats need to know of an agent made from it: its list tools, and how their results tell the list. */
import type { Fields } from "../streams/line.ts"
import type { Signal } from "../streams/stream.ts"
import type { AskingTools } from "./asked.ts"
import type { OwnTool } from "./own-tool.ts"

export type PiLists = {
  /** The call of a list tool and its input; undefined for any other tool. */
  called(name: unknown, args: unknown): (OwnTool & { input: unknown }) | "told by its result" | undefined
  /** The result of a list tool, with the whole list where its details tell it; undefined for any other tool. */
  answered(name: unknown, details: unknown): { list: Fields | undefined } | undefined
  /** The list that an entry tells besides calls and results. */
  beside?(entry: Fields): Fields | undefined
  snapshot(list: Fields, about: { session?: string | undefined; at?: unknown }): Signal
  /** The tools by which it asks the person. */
  asking?: AskingTools
  /** What details say of a list that is empty. */
  empty: Fields
}
