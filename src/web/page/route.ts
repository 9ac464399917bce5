/** Maps addresses to views, and navigates between them. */
import { createStore, type Store } from "./store.ts"

export type Route =
  | { view: "now" | "projects" | "devices" }
  | { view: "session"; key: string }
  | { view: "search"; words: string }

export type Router = Store<Route> & {
  go(route: Route): void
  /** Changes the address without a new history step, such as for further letters of a search. */
  replace(route: Route): void
  /** Goes back to the previous view, or to the board. */
  back(): void
}

export const createRouter = (): Router => {
  const store = createStore(routeOf(new URL(location.href)))
  const depth = (): number => Number((history.state as { depth?: unknown } | null)?.depth ?? 0)
  addEventListener("popstate", () => store.set(routeOf(new URL(location.href))))
  return {
    ...store,
    get value() {
      return store.value
    },
    go(route) {
      if (pathOf(route) === location.pathname + location.search) return
      history.pushState({ depth: depth() + 1 }, "", pathOf(route))
      scrollTo(0, 0)
      store.set(route)
    },
    replace(route) {
      history.replaceState(history.state, "", pathOf(route))
      store.set(route)
    },
    back() {
      if (depth() > 0) history.back()
      else this.go({ view: "now" })
    },
  }
}

export const pathOf = (route: Route): string => {
  switch (route.view) {
    case "now":
      return "/"
    case "session":
      return `/session/${encodeURIComponent(route.key)}`
    case "search":
      return route.words === "" ? "/search" : `/search?q=${encodeURIComponent(route.words)}`
    default:
      return `/${route.view}`
  }
}

export const routeOf = ({ pathname, searchParams }: URL): Route => {
  const [view, key] = pathname.split("/").slice(1)
  if (view === "session" && key) return { view, key: decoded(key) }
  if (view === "search") return { view, words: searchParams.get("q") ?? "" }
  return view === "projects" || view === "devices" ? { view } : { view: "now" }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
