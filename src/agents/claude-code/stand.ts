/** How Claude Code stands, as its hooks tell. */
import { standWith } from "../hook-stand.ts"
import { askingTools } from "./_asking-tools.ts"

export const readStand = standWith(askingTools)
