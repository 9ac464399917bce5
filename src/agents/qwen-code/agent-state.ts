/** Reads Qwen Code's state from its hooks. */
import { standWith } from "../hook-stand.ts"
import { askingTools } from "./_asking-tools.ts"

export const readStand = standWith(askingTools)
