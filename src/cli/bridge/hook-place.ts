/** The folder of an event, and the position of its plan. */
import type { HookEvent } from "../../bridges/hooks/hook.ts"
import type { Context } from "../command.ts"
import { positionOf, withoutUntrusted } from "../place.ts"

export const contextOf = <Here extends Context>(
  given: Here,
  event: HookEvent,
  more: Partial<Here["io"]> = {},
): Here => {
  const { io } = given
  return withoutUntrusted({ ...given, io: { ...io, ...more, cwd: event.cwd ?? more.cwd ?? io.cwd } })
}

/** The position of the plan an event is about; undefined where there is none. */
export const positionOfPlan = (context: Context, { session, agent }: HookEvent): Promise<string | undefined> =>
  positionOf(context, { session, agent }, async () => (await import("./act-on-hook.ts")).storeForHook(context))
