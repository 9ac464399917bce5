/** The contract of a part of the comparison. */

import type { Figure, Table } from "../results.ts"
import type { Contender } from "../stage.ts"

export type Given = {
  contenders: readonly Contender[]
  /** Where packages are kept between runs. */
  cache: string
  /** Says what is being measured. */
  say(line: string): void
  /** Names a version for the head of the page. */
  version(name: string, version: string): void
}

export type Measured = Omit<Table, "load" | "date">

export type Part = (given: Given) => Promise<Measured>

type Row = Table["rows"][number]
type LeftOut = Table["leftOut"][number]

/** Measures one figure; what fails is left out with its reason, and the others go on. */
export const createLedger = (given: Given) => {
  const leftOut: LeftOut[] = []
  const rows: Row[] = []
  return {
    rows,
    leftOut,
    async figure(name: string, what: string, measure: () => Promise<Figure> | Figure): Promise<Figure> {
      try {
        const figure = await measure()
        given.say(`${name}, ${what}: ${JSON.stringify(figure)}`)
        return figure
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause)
        // Folders are those of one run on one machine.
        const reason = why.replaceAll(/\/\S*headway-compare-[^/\s]+/g, "…").slice(0, 200)
        given.say(`${name}, ${what}: ${reason}`)
        leftOut.push({ name: `${name}, ${what}`, why: reason })
        return { none: reason }
      }
    },
    row(name: string, figures: readonly Figure[]): void {
      rows.push({ name, figures })
    },
  }
}
