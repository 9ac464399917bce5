#!/usr/bin/env node
/** The executable: hands the process over to `main` and nothing else. */
import { main } from "./main.ts"
import { processIo } from "./process-io.ts"

process.exitCode = await main(process.argv.slice(2), processIo)
