/** The table of attacks: one row each, in the order they are run. */
import type { Attack } from "./attack.ts"
import { clockBackwards } from "./clock-backwards.ts"
import { concurrentMoves } from "./concurrent-moves.ts"
import { hostileClone } from "./hostile-clone.ts"
import { killBoard } from "./kill-board.ts"
import { killGc } from "./kill-gc.ts"
import { killHook } from "./kill-hook.ts"
import { killMcp } from "./kill-mcp.ts"
import { killRun } from "./kill-run.ts"
import { killServe } from "./kill-serve.ts"
import { killSetup } from "./kill-setup.ts"
import { killTodo } from "./kill-todo.ts"

export const attacks: readonly Attack[] = [killTodo, killHook, killRun, killMcp, killServe, killBoard, killSetup, killGc, concurrentMoves, clockBackwards, hostileClone]
