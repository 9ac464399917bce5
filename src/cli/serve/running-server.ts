/** The `headway serve` that already runs for this home: found by its note, and believed only when it proves to know the token. */
import { randomBytes } from "node:crypto"
import { readServeNote, type ServeNote } from "../../home/serve/serve-note.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { proofOf } from "../../web/access.ts"

/** In milliseconds. */
const timeLimit = 2_000

/** Undefined when none runs. */
export const findRunningServer = async (home: string, token: string | undefined): Promise<ServeNote | undefined> => {
  const note = readServeNote(home)
  return note && token !== undefined && (await isRunning(note, token)) ? note : undefined
}

/** The token itself is not sent: another program may listen there by now. */
export const isRunning = async ({ origin }: ServeNote, token: string): Promise<boolean> => {
  const nonce = randomBytes(16).toString("base64url")
  try {
    const response = await fetch(`${origin}/hello?nonce=${nonce}`, {
      redirect: "error",
      signal: AbortSignal.timeout(timeLimit),
    })
    const reply: unknown = await response.json()
    return isRecord(reply) && reply.proof === proofOf(token, { nonce, port: Number(new URL(origin).port) })
  } catch {
    return false
  }
}
