/** The table of attacks: one row each, in the order they are run. */
import type { Attack } from "./attack.ts"
import { killGc } from "./kill-gc.ts"
import { killHook } from "./kill-hook.ts"
import { killTodo } from "./kill-todo.ts"

export const attacks: readonly Attack[] = [killTodo, killHook, killGc]
