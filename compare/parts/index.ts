/** The parts of the comparison, in the order of the page. */
import { kill } from "./kill.ts"
import { mcp } from "./mcp.ts"
import type { Part } from "./part.ts"
import { start } from "./start.ts"
import { store } from "./store.ts"
import { transcripts } from "./transcripts.ts"
import { writers } from "./writers.ts"

export const parts: Readonly<Record<string, Part>> = { start, store, writers, kill, mcp, transcripts }
