/** The plans of a member and its sub-agents, one below the other, fitted to the height of a screen. */

import { type Colour, indented, type Line } from "../text/span.ts"
import { planLines } from "./plan-heading.ts"
import { fitted, layoutOf, type Todos, type ViewOptions } from "./row.ts"
import { withAir } from "./window.ts"

export type MemberFrame = {
  plan: Todos
  /** The name in the heading. */
  name: string
  /** @default "cyan" */
  colour?: Colour | undefined
  /**
   * Whether the agent's turn is over. Its open todos are then shown as completed and marked as assumed. @default false
   */
  hasEnded?: boolean | undefined
  /** Whether it works for the member above it. Its plan is then indented. @default false */
  isSubAgent?: boolean | undefined
}

export type MemberFramesOptions = ViewOptions & {
  /** The number of rows for all plans together. */
  height: number
}

const indent = 2
/** The least rows of a plan: a heading and a todo. */
const leastRows = 2

/**
 * Empty plans are left out. If the plans do not all fit, sub-agents share at most half of the rows, each plan shows the
 * part around its current todo, and plans without any room are only counted. If there is room to spare, an empty row is
 * added above and below all of them.
 */
export const memberFrames = (members: readonly MemberFrame[], options: MemberFramesOptions): Line[] => {
  const { height, ...view } = options
  const shown = members.filter(({ plan }) => plan.todos.length > 0)
  const others = shown.filter(({ isSubAgent }) => isSubAgent)
  const own = shown.filter(({ isSubAgent }) => !isSubAgent)
  if (height < 1) return []
  const wanted = rowsOf(others)
  const ownRows = Math.min(rowsOf(own), Math.max(height - wanted, Math.ceil(height / 2)))
  return withAir([...framesIn(own, ownRows, view), ...framesIn(others, height - ownRows, view)], height)
}

const rowsOf = (members: readonly MemberFrame[]): number =>
  members.reduce((sum, { plan }) => sum + 1 + plan.todos.length, 0)

const framesIn = (members: readonly MemberFrame[], height: number, view: ViewOptions): Line[] => {
  const fits = rowsOf(members) <= height || members.length * leastRows <= height
  const most = fits ? members.length : Math.max(1, Math.floor((height - 1) / leastRows))
  const counts = !fits && height > leastRows && most < members.length
  let rest = counts ? height - 1 : height
  const lines = members.slice(0, most).flatMap((member, index) => {
    const drawn = frameOf(member, Math.floor(rest / (most - index)), view)
    rest -= drawn.length
    return drawn
  })
  return counts ? [...lines, leftOut(members.length - most, view)] : lines
}

const frameOf = (member: MemberFrame, height: number, view: ViewOptions): Line[] => {
  const { plan, name, colour, hasEnded, isSubAgent = false } = member
  if (height < 1) return []
  const { width } = layoutOf(view)
  const columns = isSubAgent ? Math.max(0, Math.min(indent, width - 1)) : 0
  return indented(planLines(plan, name, { ...view, width: width - columns, height, colour, hasEnded }), columns)
}

const leftOut = (count: number, view: ViewOptions): Line => {
  const layout = layoutOf(view)
  const text = `${layout.ellipsis} ${count} more ${count === 1 ? "agent" : "agents"}`
  return [{ text: fitted(text, layout), style: { dim: true } }]
}
