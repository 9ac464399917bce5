/** What `--session` and `--agent` select in a listing of many sessions: all rows of the sessions they name. */
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Context } from "../command.ts"
import { findNamed, type Nameable } from "./named-session.ts"

type Row = Pick<Nameable, "session" | "agent">

export const asksForOne = ({ values }: Context): boolean => Boolean(values.session || values.agent)

/** Whether a row is asked for. Names are looked up among `rows`; several sessions with the name are all meant. Throws if there is none. */
export const askedFor = <One extends Nameable>({ values }: Context, rows: readonly One[]): ((row: Row) => boolean) => {
  const [session, agent] = [values.session || undefined, values.agent || undefined]
  if (session === undefined) return (row) => agent === undefined || row.agent === agent
  const naming = findNamed(rows, { session, agent })
  if (naming.kind === "missing") {
    const of = agent === undefined ? "" : ` with an agent "${agent}"`
    throw new HeadwayError(
      "no-session",
      `There is no session "${session}"${of} here. See all with "headway list --all".`,
    )
  }
  const meant = naming.kind === "found" ? [naming.one] : naming.candidates
  // The name of a session means its sub-agents too, unless one agent is named.
  const isWhole = (one: One): boolean => agent === undefined && one.agent === "main"
  return (row) => meant.some((one) => one.session === row.session && (isWhole(one) || one.agent === row.agent))
}
