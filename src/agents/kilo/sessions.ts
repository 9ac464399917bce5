/** Kilo: opencode's database in a folder of its own. */
import { databaseSource } from "../opencode/sessions.ts"

export const sessions = databaseSource({
  agentType: "kilo",
  variable: "KILO_DB",
  file: /^(?!opencode\b).*\.db$/,
})
