/** The tools that are compared, in the order of the tables. */
import { backlogMd } from "./backlog-md.ts"
import { dex } from "./dex.ts"
import { headway } from "./headway.ts"
import type { Peer } from "./peer.ts"
import { shrimp } from "./shrimp.ts"
import { taskMaster } from "./task-master.ts"
import { taskwarrior } from "./taskwarrior.ts"
import { todoTxt } from "./todo-txt.ts"

export const peers: readonly Peer[] = [headway, backlogMd, dex, taskMaster, shrimp, taskwarrior, todoTxt]
