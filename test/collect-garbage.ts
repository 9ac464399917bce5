/** Collects what is garbage now: for what is to be seen without it, and before starting processes from a large one. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")

export const collectGarbage: () => void = runInNewContext("gc")
