/** The table of scenarios: one row each, in the order they are played. */
import { beginning } from "./beginning.ts"
import { clearing } from "./clearing.ts"
import { compaction } from "./compaction.ts"
import { editNative } from "./edit-native.ts"
import { ending } from "./ending.ts"
import { evidence } from "./evidence.ts"
import { forking } from "./forking.ts"
import { gate } from "./gate.ts"
import { killing } from "./killing.ts"
import { native } from "./native.ts"
import { plugin } from "./plugin.ts"
import { resuming } from "./resuming.ts"
import { run } from "./run.ts"
import type { Scenario } from "./scenario.ts"
import { setUp } from "./set-up.ts"
import { stopping } from "./stopping.ts"
import { subAgent } from "./sub-agent.ts"
import { tool } from "./tool.ts"
import { twins } from "./twins.ts"

export const scenarios: readonly Scenario[] = [
  setUp,
  tool,
  native,
  compaction,
  resuming,
  beginning,
  clearing,
  subAgent,
  stopping,
  evidence,
  gate,
  ending,
  killing,
  editNative,
  twins,
  forking,
  run,
  plugin,
]
