/** Runs before each test file, also where files share the modules of a worker. */
import fc from "fast-check"
import { afterAll } from "vitest"
import { rounds } from "./rounds.ts"
import { removeTemporaryFolders } from "./stores/temporary.ts"

fc.configureGlobal({ numRuns: rounds(100) })

afterAll(removeTemporaryFolders)
