/** Opens the board for a command: with the person's store, clock, name and editor. */
import { type Board, type BoardOptions, openBoard } from "../../board/board.ts"
import { createBoardViewer } from "../../board/viewer.ts"
import { openNames } from "../../home/names.ts"
import { loadSettings } from "../../home/settings.ts"
import { evidenceCacheIn } from "../../sessions/evidence/evidence-cache.ts"
import type { BoardSource } from "../../views/board/session.ts"
import { checksOfTracker } from "../check/plan-evidence.ts"
import { askedFor, asksForOne } from "../choose/asked-for.ts"
import { logger } from "../choose/plans.ts"
import { sessionPlaces } from "../choose/sessions-here.ts"
import type { Context } from "../command.ts"
import { checklist } from "../edit/checklist-edit.ts"
import { keepText } from "../edit/editor.ts"
import { personAt, writerAt } from "../edit/person.ts"
import { whenToldIn } from "../edit/when-told.ts"
import { agentNamesOf } from "../output/session-names.ts"
import { homeOf, storeOf, withoutUntrusted } from "../place/place.ts"
import { findStores } from "../place/session-stores.ts"

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
    whenToldOf: whenToldIn(homeOf(context)),
    evidenceCache: evidenceCacheIn(homeOf(context)),
    checksOf: checksOfTracker(context),
  })
}

export const openLiveBoard = async (context: Context, options: OpenBoardOptions = {}): Promise<LiveBoard> => {
  const board = await openBoardHere(context, options)
  try {
    const viewer = createBoardViewer(onlyAsked(context, board))
    const leave = viewer.close
    return Object.assign(viewer, {
      close() {
        leave()
        return board.close()
      },
    })
  } catch (cause) {
    await board.close()
    throw cause
  }
}

/** The board with only the rows that `--session` and `--agent` name. */
const onlyAsked = (context: Context, board: Board): Board => {
  if (!asksForOne(context)) return board
  const isAsked = askedFor(context, board.rows)
  return Object.create(board, { rows: { get: () => board.rows.filter(isAsked) } }) as Board
}
