/** The executable: hands the process over to `main` and nothing else. */
import { main } from "./main.ts"
import { endWith, failUnforeseen, processIo } from "./process-io.ts"

process.on("uncaughtException", failUnforeseen)
// Like Node for a module: a command that never resolves has failed.
process.exitCode = 13
main(process.argv.slice(2), processIo).then(endWith, failUnforeseen)
