/** A folder that a variable of the environment names: only where it is named in full. Any other is in the folder one is in, which may be anyone's repository. */
import { isAbsolute } from "node:path"

/** Undefined where nothing is named, or not in full. */
export const fullPath = (named: string | undefined): string | undefined =>
  named !== undefined && isAbsolute(named) ? named : undefined
