/** The person at the keyboard. */
import { hostname, userInfo } from "node:os"
import type { Actor, Writer } from "../../plan/event.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Io } from "../io.ts"

export const personAt = ({ env }: Io): Actor => ({ kind: "person", id: env.USER || env.USERNAME || loginName() })

/** Who writes on which machine, for plans that are shared. `who` is PERSON@MACHINE, as the person wants to be called. */
export const writerAt = (io: Io, who: string): Writer => {
  const at = who.lastIndexOf("@")
  const [person, machine] = at < 0 ? [who, ""] : [who.slice(0, at), who.slice(at + 1)]
  return { person: nameIn(person) || personAt(io).id, machine: nameIn(machine) || hostname() }
}

/** In characters: it is written with every entry. */
const longestName = 100

const nameIn = (text: string): string => sanitise(text).trim().slice(0, longestName)

const loginName = (): string => {
  try {
    return userInfo().username
  } catch {
    return "person"
  }
}
