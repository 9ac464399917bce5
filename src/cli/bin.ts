#!/usr/bin/env node
/** The executable: hands the process over to `main` and nothing else. */
import { main } from "./main.ts"
import { endWith, failUnforeseen, processIo } from "./process-io.ts"

process.on("uncaughtException", failUnforeseen)
// As Node has it for a module: a command that never says how it ended has not done its work.
process.exitCode = 13
main(process.argv.slice(2), processIo).then(endWith, failUnforeseen)
