/** The stores of a server's plans: the one of its project, and those in which older sessions keep theirs. */
import { createRecent } from "../../../board/recent.ts"
import { recordedPlace } from "../../../home/notes/session-places.ts"
import type { PlanKey, PlanSummary, Store } from "../../../stores/store.ts"
import { projectNameIn, reporter } from "../../choose/plans.ts"
import type { Context } from "../../command.ts"
import { homeOf, placeNameOf, storeOf, urlOf, withoutUntrusted } from "../../place/place.ts"
import { withPlansBegunInHome } from "../../place/plans-begun-in-home.ts"
import { contextIn, contextOfSession } from "../../place/session-place.ts"
import { isPlanOf } from "./join-unnamed.ts"

export type PlaceOfPlans = {
  /** The store of the project. */
  store(): Promise<Store>
  /** The location of that store, as it was last opened; empty before. */
  name(): string
  /** The store of one session's plans. A client that is not known has none but that of the project. */
  storeFor(key: PlanKey, agentType?: string): Promise<Store>
  /** What this project is called in a store: in a repository, in the home and in a database it has different names. */
  projectIn(store: Store): string
  /** The plans of this project, newest first. */
  plans(): Promise<readonly PlanSummary[]>
  /** Whether a session belongs to an agent and this project, according to its kept plan. */
  isProjectsPlan(of: Omit<Parameters<typeof isPlanOf>[1], "project">): Promise<boolean>
}

/** How many plans, places and sessions a server keeps: clients may name any number of them without using them. */
export const mostKept = 64

export const openPlaceOfPlans = (context: Context): PlaceOfPlans => {
  const home = homeOf(context)
  const { cwd } = context.io
  const names = new WeakMap<Store, string>()
  const places = createRecent<string, Promise<Store>>(mostKept)
  let opening: Promise<Store> | undefined
  /** The location of that store, and the store that was set then. */
  let [place, url] = ["", ""]

  const storeIn = async (at: Context): Promise<Store> => {
    const project = projectNameIn(contextIn(at, cwd))
    const found = await storeOf(at)
    names.set(found, project)
    return found
  }

  const projectIn = (store: Store): string => names.get(store) ?? projectNameIn(withoutUntrusted(context))

  const store = (): Promise<Store> => {
    // Checked again: a pull may have added plans since the server was started, or the person uses another store now.
    const here = withoutUntrusted(context)
    const urlNow = urlOf(here)
    if (opening && urlNow === url) return opening
    url = urlNow
    place = placeNameOf(here)
    opening = storeIn(here)
    return opening
  }

  /** A session keeps the place in which its plan began, such as the home before the repository kept plans. */
  const findStore = async (session: string, agentType: string): Promise<Store> => {
    const here = await store()
    const now = withoutUntrusted(context)
    const at = await contextOfSession(now, { session, agentType })
    const isRecorded = recordedPlace(home, { session, agentType }) !== undefined
    return at || isRecorded ? storeIn(at ?? now) : here
  }

  return {
    store,
    name: () => place,
    storeFor({ session }, agentType) {
      if (agentType === undefined) return store()
      // Both may change while this server runs: a person trusts the repository, and the plan is moved there.
      const [recorded, placeNow] = [recordedPlace(home, { session, agentType }), placeNameOf(withoutUntrusted(context))]
      const id = JSON.stringify([session, agentType, recorded, placeNow])
      const found = places.get(id) ?? findStore(session, agentType)
      places.set(id, found)
      found.catch(() => places.delete(id))
      return found
    },
    projectIn,
    async plans() {
      const from = await store()
      const { plans: own, problems } = await from.list({ project: projectIn(from) })
      problems.forEach(reporter(context))
      return withPlansBegunInHome(withoutUntrusted(context), own)
    },
    async isProjectsPlan(of) {
      const from = await store()
      return isPlanOf(from, { ...of, project: projectIn(from) })
    },
  }
}
