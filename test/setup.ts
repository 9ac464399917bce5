/** Runs before each test file, also where files share the modules of a worker. */
import fc from "fast-check"
import { afterAll } from "vitest"
import { collectGarbage } from "./collect-garbage.ts"
import { rounds } from "./rounds.ts"
import { removeTemporaryFolders } from "./stores/temporary.ts"

fc.configureGlobal({ numRuns: rounds(100) })

afterAll(removeTemporaryFolders)

// Starting a process takes time by the memory of the one that starts it: 2 ms at 50 MB, 60 ms at 700 MB. What the file before
// left is only garbage now, when it has ended. Collecting it takes time too, so it is done after the giant inputs only.
if (process.memoryUsage.rss() > 600_000_000) collectGarbage()
