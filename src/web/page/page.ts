/** What every part of the page works with: the live board, the way between views, messages and the line being typed. */
import { createContext, useContext } from "react"
import { createLiveBoard, type LiveBoard } from "./live/live-board.ts"
import { createPrompts, type Prompts } from "./parts/prompts.ts"
import { createToasts, type Toasts } from "./parts/toasts.ts"
import { createRouter, type Router } from "./route.ts"

export type Page = { board: LiveBoard; router: Router; toasts: Toasts; prompts: Prompts }

export const createPage = (): Page => ({
  board: createLiveBoard(),
  router: createRouter(),
  toasts: createToasts(),
  prompts: createPrompts(),
})

const Context = createContext<Page | undefined>(undefined)

export const PageProvider = Context.Provider

export const usePage = (): Page => {
  const page = useContext(Context)
  if (!page) throw new Error("There is no page around this.")
  return page
}
