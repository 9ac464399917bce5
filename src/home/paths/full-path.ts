/**
 * A folder from an environment variable, only if the path is absolute. A relative one would depend on the current
 * folder, which may be an untrusted repository.
 */
import { isAbsolute } from "node:path"

/** Undefined if the variable is unset or not absolute. */
export const fullPath = (named: string | undefined): string | undefined =>
  named !== undefined && isAbsolute(named) ? named : undefined
