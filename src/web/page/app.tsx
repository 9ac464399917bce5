/** The frame around all views: navigation, connection state, keys and messages. */
import { useCallback, useEffect, useRef, useState } from "react"
import { focusNext, focusOn, moveFocus, movePane } from "./keys/focus.ts"
import { type CommandHandler, useCommands } from "./keys/keyboard.ts"
import { KeysDialog } from "./keys/keys-dialog.tsx"
import { LinkBanner, LinkSign } from "./link-sign.tsx"
import { useNotifying } from "./notify/use-notifications.ts"
import { useTabSign } from "./notify/use-tab-sign.ts"
import { NowView } from "./now/now-view.tsx"
import { usePage } from "./page.ts"
import { PromptBar } from "./parts/prompt-bar.tsx"
import { RouteLink } from "./parts/route-link.tsx"
import { Text } from "./parts/text.tsx"
import { ToastList } from "./parts/toast-list.tsx"
import { DevicesView } from "./places/devices-view.tsx"
import { ProjectsView } from "./places/projects-view.tsx"
import { SearchView } from "./places/search-view.tsx"
import type { Route } from "./route.ts"
import { SessionView } from "./session/session-view.tsx"
import { useStore } from "./store.ts"

export const App = () => {
  const { board, router } = usePage()
  const route = useStore(router)
  const link = useStore(board.link)
  const notice = useStore(board.notice)
  const [isHelp, setHelp] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  useTabSign()
  useNotifying()
  useViewFocus(route)
  const command: CommandHandler = useCallback(
    (given) => {
      if (given.kind === "filter") {
        search.current?.focus()
        search.current?.select()
        return true
      }
      if (given.kind !== "action") return false
      const { action } = given
      switch (action.type) {
        case "move":
          return moveFocus(action.by)
        case "focus":
          return movePane(action.pane === "sessions" ? -1 : 1)
        case "back":
          if (router.value.view === "now") return false
          router.back()
          return true
        case "next-waiting":
          if (router.value.view !== "now") router.go({ view: "now" })
          return focusNext('[data-state="waiting"]')
        case "help":
          setHelp(true)
          return true
        default:
          return false
      }
    },
    [router],
  )
  useCommands(command)
  if (link.state === "unknown-browser") return <UnknownBrowser />
  return (
    <>
      <a className="skip" href="#main">
        Skip to the sessions
      </a>
      <header className="top">
        <RouteLink to={{ view: "now" }} className="brand">
          headway
        </RouteLink>
        <ViewLinks route={route} />
        <SearchField route={route} field={search} />
        <LinkSign />
        <button type="button" className="help" aria-label="Keys" aria-keyshortcuts="?" onClick={() => setHelp(true)}>
          ?
        </button>
      </header>
      <LinkBanner />
      {notice !== undefined && (
        <p className="notice" role="status">
          <Text of={notice} />
        </p>
      )}
      <main id="main" tabIndex={-1} className={link.state === "down" ? "stale" : ""}>
        <View route={route} />
      </main>
      <ViewLinks route={route} isThumb />
      <ToastList />
      <PromptBar />
      {isHelp && <KeysDialog onClose={() => setHelp(false)} />}
    </>
  )
}

const View = ({ route }: { route: Route }) => {
  switch (route.view) {
    case "now":
      return <NowView />
    case "projects":
      return <ProjectsView />
    case "session":
      return <SessionView id={route.key} />
    case "search":
      return <SearchView words={route.words} />
    case "devices":
      return <DevicesView />
  }
}

/** The navigation between views: in the bar at the top or, on a phone, at the bottom. */
const ViewLinks = ({ route, isThumb = false }: { route: Route; isThumb?: boolean }) => {
  const ways: [to: Route, says: string][] = [
    [{ view: "now" }, "Now"],
    [{ view: "projects" }, "Projects"],
    ...(isThumb ? ([[{ view: "search", words: "" }, "Search"]] as [Route, string][]) : []),
    [{ view: "devices" }, "Devices"],
  ]
  return (
    <nav className={isThumb ? "ways thumb" : "ways"} aria-label={isThumb ? "Views, at the bottom" : "Views"}>
      {ways.map(([to, says]) => (
        <RouteLink key={says} to={to} aria-current={to.view === route.view ? "page" : undefined}>
          {says}
        </RouteLink>
      ))}
    </nav>
  )
}

type SearchFieldProps = { route: Route; field: React.RefObject<HTMLInputElement | null> }

const SearchField = ({ route, field }: SearchFieldProps) => {
  const { router } = usePage()
  const words = route.view === "search" ? route.words : ""
  const change = (text: string): void => {
    const to: Route = { view: "search", words: text }
    if (router.value.view === "search") router.replace(to)
    else router.go(to)
  }
  return (
    <search className="search">
      <input
        ref={field}
        type="search"
        aria-label="Search sessions, prompts, todos"
        placeholder="Search sessions, prompts, todos"
        value={words}
        maxLength={200}
        dir="auto"
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.currentTarget.blur()
            if (router.value.view === "search") router.back()
          } else if (event.key === "ArrowDown" || event.key === "Enter") {
            event.preventDefault()
            focusOn(document.querySelector<HTMLElement>("main [data-stop]") ?? undefined)
          }
        }}
      />
      <kbd>/</kbd>
    </search>
  )
}

/** Restores the keyboard focus after a change of views: to the card that was left, otherwise to the heading. */
const useViewFocus = (route: Route): void => {
  const last = useRef<Route>(undefined)
  useEffect(() => {
    const before = last.current
    last.current = route
    if (!before || before.view === route.view) return
    if (document.activeElement?.matches("input")) return
    const card = before.view === "session" ? `main [data-stop][data-key="${CSS.escape(before.key)}"]` : undefined
    const back = card === undefined ? null : document.querySelector<HTMLElement>(card)
    const target = back ?? document.querySelector<HTMLElement>("main h1")
    target?.focus({ preventScroll: back === null })
  }, [route])
}

const UnknownBrowser = () => (
  <main className="empty" id="main">
    <h1>Headway does not know this browser</h1>
    <p>
      Open the address that <code>headway serve</code> printed in the terminal: it contains the token for this page. On
      a phone, scan the code that <code>headway serve --lan</code> shows.
    </p>
    <p>
      <button type="button" className="button main" onClick={() => location.reload()}>
        Try again
      </button>
    </p>
  </main>
)
