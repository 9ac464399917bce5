/** The key of a plan as text, for maps. */
import type { PlanKey } from "./event.ts"

/** Equal for the same agent of the same session, and for no other. */
export const keyText = ({ session, agent }: PlanKey): string => JSON.stringify([session, agent])
