/**
 * Serves the board in the browser: the page's handler with this person's board, devices, search and resume commands.
 */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Joined } from "../../board/joined-session.ts"
import { openDevices } from "../../home/serve/devices.ts"
import { isHeadwayError, messageOf } from "../../plan/index.ts"
import type { BoardFound, SessionRow } from "../../views/board/session.ts"
import type { OpenReply } from "../../web/api.ts"
import { createHandler, type Handler } from "../../web/handler.ts"
import { createListener, type Listener } from "../../web/listener.ts"
import { loadPage } from "../../web/page.ts"
import type { Resume } from "../../web/session-api.ts"
import { openBoardHere } from "../board/open-board.ts"
import type { Context } from "../command.ts"
import type { Io } from "../io.ts"
import { openFromBoard } from "../open/from-board.ts"
import { commandText, resumeCommand } from "../open/resume-command.ts"
import { homeOf } from "../place/place.ts"
import { version } from "../version.ts"

export type PageServerOptions = {
  token: () => string | undefined
  isHost: (name: string) => boolean
  remoteOrigin?: () => string | undefined
  onPaired?: (name: string) => void
  onProgress?: (done: number, total: number) => void
}

export type PageServer = Pick<Handler, "invite"> & { listener: Listener; close(): Promise<void> }

export const openPageServer = async (context: Context, options: PageServerOptions): Promise<PageServer> => {
  const { onProgress, ...how } = options
  // Problems with agents' files are shown on the page itself.
  const quiet = { ...context, io: Object.create(context.io, { err: { value: () => {} } }) as Io }
  const board = await openBoardHere(context, onProgress ? { onProgress } : {})
  let find: ((words: string) => Promise<BoardFound[]>) | undefined
  const handler = createHandler({
    board,
    ...how,
    version,
    devices: openDevices(homeOf(context), context.io.now),
    page: loadPage(pageFolder()),
    find: async (words) => {
      find ??= (await import("../find/find-sessions.ts")).findForBoard(quiet)
      return find(words)
    },
    resumeOf: ({ key }) => resumeOf(board.find(key), context),
    openInAgent: (row) => openInAgent(row, quiet),
  })
  return {
    invite: handler.invite,
    listener: createListener(handler),
    async close() {
      handler.close()
      await board.close()
    },
  }
}

/** Built, the page is next to the program; run from source, it is where the build put it. */
const pageFolder = (): string => {
  const beside = fileURLToPath(new URL("../../page", import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../../dist/page", import.meta.url))
}

const resumeOf = (joined: Joined | undefined, context: Context): Resume | undefined => {
  if (!joined) return undefined
  try {
    const command = resumeCommand({ ...joined.session, isStart: joined.seen?.isStart }, context)
    return { command: commandText(command), folder: command.folder }
  } catch (cause) {
    if (isHeadwayError(cause)) return undefined
    throw cause
  }
}

/** Outside tmux there is no terminal in which to open the agent, so the command is shown to be copied. */
const openInAgent = async (row: SessionRow, context: Context): Promise<OpenReply> => {
  if (!context.io.env.TMUX)
    return {
      isOpened: false,
      message: 'Copy the command to a terminal. Started inside tmux, "headway serve" opens it in a window there.',
    }
  try {
    return { isOpened: true, message: (await openFromBoard(context, () => {})(row)) ?? "Opened." }
  } catch (cause) {
    return { isOpened: false, message: messageOf(cause) }
  }
}
