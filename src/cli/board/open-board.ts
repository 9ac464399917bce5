/** Opens the board for a command: with the person's store, clock, name and editor. */
import { type Board, type BoardOptions, openBoard } from "../../board/board.ts"
import { keyOf } from "../../board/joined-session.ts"
import type { FindStores } from "../../board/kept-plans.ts"
import { createBoardViewer } from "../../board/viewer.ts"
import { openNames } from "../../home/names.ts"
import { loadSettings } from "../../home/settings.ts"
import { type HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { evidenceCacheIn } from "../../sessions/evidence/evidence-cache.ts"
import type { Store } from "../../stores/store.ts"
import type { BoardSource } from "../../views/board/session.ts"
import { checksOfTracker } from "../check/plan-evidence.ts"
import type { Context } from "../command.ts"
import { checklist } from "../edit/checklist-edit.ts"
import { keepText } from "../edit/editor.ts"
import { hearingIn } from "../edit/hearing.ts"
import { personAt, writerAt } from "../edit/person.ts"
import { agentNamesOf } from "../output/session-names.ts"
import { homeOf, storeOf, withoutUntrusted } from "../place.ts"
import { logger } from "../plans.ts"
import { contextsOfSessions } from "../session-place.ts"
import { sessionPlaces } from "../sessions-here.ts"

export type OpenBoardOptions = Pick<BoardOptions, "shows" | "isAll" | "onProgress"> & {
  /** Scan only here: a person's home, an agent's folder, or a single file. */
  paths?: readonly string[] | undefined
}

/** The board as the one viewer at this terminal has it. */
export type LiveBoard = BoardSource & { close(): Promise<void> }

export const openBoardHere = async (context: Context, { paths, ...options }: OpenBoardOptions = {}): Promise<Board> => {
  const here = withoutUntrusted(context)
  const store = await storeOf(here)
  return openBoard({
    agentNamesOf,
    ...options,
    store,
    storesElsewhere: findStores(here, store),
    places: await sessionPlaces(context, paths),
    now: context.io.now,
    person: personAt(context.io),
    viewer: writerAt(context.io, loadSettings(homeOf(context)).who),
    checklist,
    keepText,
    log: logger(context),
    names: openNames(homeOf(context), logger(context)),
    hearingOf: hearingIn(homeOf(context)),
    evidenceCache: evidenceCacheIn(homeOf(context)),
    checksOf: checksOfTracker(context),
  })
}

/** A person's edit is kept with the session, as by the other commands, and not in the repository they are in. */
const findStores =
  (context: Context, store: Store): FindStores =>
  async (sessions) => {
    const stores = new Map<string, Store | HeadwayError>()
    const contextOf = contextsOfSessions(context)
    const opened = new Map<Context, Store>()
    const storeAt = async (at: Context): Promise<Store> => {
      const there = opened.get(at) ?? (await storeOf(at, { isQuiet: true }))
      opened.set(at, there)
      return there
    }
    for (const session of sessions) {
      // A file that may have been copied from anywhere decides nothing.
      if (session.isElsewhere) continue
      try {
        const at = await contextOf(session)
        const there = at && (await storeAt(at))
        if (there && there !== store) stores.set(keyOf(session), there)
      } catch (cause) {
        if (!isHeadwayError(cause)) throw cause
        stores.set(keyOf(session), cause)
      }
    }
    return stores
  }

export const openLiveBoard = async (context: Context, options: OpenBoardOptions = {}): Promise<LiveBoard> => {
  const board = await openBoardHere(context, options)
  const viewer = createBoardViewer(board)
  const leave = viewer.close
  return Object.assign(viewer, {
    close() {
      leave()
      return board.close()
    },
  })
}
