#!/usr/bin/env node
/** The executable: hands the process over to `main` and nothing else. */
import { main } from "./main.ts"
import { failUnforeseen, processIo } from "./process-io.ts"

process.on("uncaughtException", failUnforeseen)
main(process.argv.slice(2), processIo).then((code) => {
  process.exitCode = code
}, failUnforeseen)
