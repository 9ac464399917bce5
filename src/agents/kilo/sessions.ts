/** Kilo: opencode's database in its own folder. */
import { databaseSource } from "../opencode/sessions.ts"

export const sessions = databaseSource({
  agentType: "kilo",
  variable: "KILO_DB",
  file: /^(?!opencode\b).*\.db$/,
})
