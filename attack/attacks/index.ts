/** The table of attacks: one row each, in the order they are run. */
import type { Attack } from "./attack.ts"
import { caseInsensitive } from "./case-insensitive.ts"
import { clockBackwards } from "./clock-backwards.ts"
import { concurrentMoves } from "./concurrent-moves.ts"
import { damagedFiles } from "./damaged-files.ts"
import { damagedStreams } from "./damaged-streams.ts"
import { fullDisk } from "./full-disk.ts"
import { hostileClone } from "./hostile-clone.ts"
import { hostileSessions } from "./hostile-sessions.ts"
import { hostileTexts } from "./hostile-texts.ts"
import { killBoard } from "./kill-board.ts"
import { killGc } from "./kill-gc.ts"
import { killHook } from "./kill-hook.ts"
import { killMcp } from "./kill-mcp.ts"
import { killRun } from "./kill-run.ts"
import { killServe } from "./kill-serve.ts"
import { killSetup } from "./kill-setup.ts"
import { killTodo } from "./kill-todo.ts"
import { otherUsers } from "./other-users.ts"
import { serveFlood } from "./serve-flood.ts"
import { storeFaults } from "./store-faults.ts"

export const attacks: readonly Attack[] = [
  // The two that take longest begin first.
  hostileTexts,
  hostileClone,
  otherUsers,
  hostileSessions,
  damagedFiles,
  damagedStreams,
  serveFlood,
  killHook,
  killRun,
  killBoard,
  killServe,
  killMcp,
  killSetup,
  killTodo,
  killGc,
  storeFaults,
  concurrentMoves,
  clockBackwards,
  fullDisk,
  caseInsensitive,
]
