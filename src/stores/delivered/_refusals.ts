/** Why something cannot be done with a remote store. */
import { HeadwayError } from "../../plan/index.ts"

export const readOnly = (name: string): HeadwayError =>
  new HeadwayError("read-only", `${name} is read-only for you: its user may read plans but not change them.`)

export const awayError = (name: string, since: string, what: string): HeadwayError =>
  new HeadwayError("store-away", `${name} has been unreachable since ${since}, and without it ${what}.`)
