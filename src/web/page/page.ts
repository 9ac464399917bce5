/** The context of every part of the page: the live board, navigation, messages and the prompt. */
import { createContext, useContext } from "react"
import { createLiveBoard, type LiveBoard } from "./live/live-board.ts"
import type { Filter } from "./parts/filter.ts"
import { createPrompts, type Prompts } from "./parts/prompts.ts"
import { createToasts, type Toasts } from "./parts/toasts.ts"
import { createRouter, type Router } from "./route.ts"
import { createStore, type Store } from "./store.ts"

export type Page = {
  board: LiveBoard
  router: Router
  toasts: Toasts
  prompts: Prompts
  /** With a shared store: which sessions are shown. */
  filter: Store<Filter | undefined>
}

export const createPage = (): Page => ({
  board: createLiveBoard(),
  router: createRouter(),
  toasts: createToasts(),
  prompts: createPrompts(),
  filter: createStore<Filter | undefined>(undefined),
})

const Context = createContext<Page | undefined>(undefined)

export const PageProvider = Context.Provider

export const usePage = (): Page => {
  const page = useContext(Context)
  if (!page) throw new Error("This component must be inside the page.")
  return page
}
