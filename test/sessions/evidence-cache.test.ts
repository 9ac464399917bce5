/** Evidence in the cache: true of the session it was worked out for, for as long as its file is the same. */
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { evidenceCacheIn, evidencePlace, evidenceStamps } from "../../src/sessions/evidence/evidence-cache.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const brief = { todos: [{ id: "1", content: "Fix login", word: "backed" as const, sentences: [] }] }

test("sessions in one database are kept apart", () => {
  const home = temporaryFolder()
  const path = join(home, "opencode.db")
  writeFileSync(path, "as it is")
  const [one, other] = ["ses_1", "ses_2"].map((session) => evidencePlace({ path, session }))
  const cache = evidenceCacheIn(join(home, ".headway"))
  cache.save(one ?? "", evidenceStamps([path]) ?? [], brief)
  expect([cache.load(one ?? ""), cache.load(other ?? "")]).toEqual([brief, undefined])
  appendFileSync(path, ", and more")
  expect(cache.load(one ?? "")).toBeUndefined()
})
