/** Runs before each test file, also where files share the modules of a worker. */
import { afterAll } from "vitest"
import { removeTemporaryFolders } from "./stores/temporary.ts"

afterAll(removeTemporaryFolders)
