/** The titles of the list's sections, and the age from which a session is old. */
import type { Style } from "../text/span.ts"
import { stateStyles } from "./glyphs.ts"

export const sectionTitles = { waiting: "Waiting for you", working: "Working" } as const

export const sectionStyles: Readonly<Record<keyof typeof sectionTitles, Style>> = {
  waiting: stateStyles.waiting,
  working: { ...stateStyles.working, bold: true },
}

const [hour, day] = [3_600_000, 86_400_000]

/** Rounded to whole hours, so that the list does not change every second. With negative days no session is old. */
export const foldedBefore = (now: Date, days = 3): number =>
  days >= 0 ? Math.floor((now.getTime() - days * day) / hour) * hour : Number.NEGATIVE_INFINITY
