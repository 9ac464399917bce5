/** Optional browser notifications: when an agent waits for the person, and when a plan is done. */
import { useEffect } from "react"
import { createNotices, type NoticeEvent } from "../../../views/notices.ts"
import { usePage } from "../page.ts"
import { pathOf, routeOf } from "../route.ts"
import { createStore, useStore } from "../store.ts"
import { createNotifier } from "./notifier.ts"

export type NotifyState = "on" | "off" | "denied" | "missing"

const remembered = "headway-notify"
const told: readonly NoticeEvent[] = ["waiting_for_you", "all_done"]
const headings: Readonly<Partial<Record<NoticeEvent, string>>> = {
  waiting_for_you: "Waiting for you",
  all_done: "All done",
}

const stateNow = (): NotifyState => {
  if (!("Notification" in globalThis) || !isSecureContext) return "missing"
  if (Notification.permission === "denied") return "denied"
  return Notification.permission === "granted" && localStorage.getItem(remembered) === "on" ? "on" : "off"
}

const state = createStore<NotifyState>("off")

export const useNotifications = () => {
  const current = useStore(state)
  useEffect(() => state.set(stateNow()), [])
  const toggle = async (): Promise<void> => {
    if (current === "on") localStorage.setItem(remembered, "off")
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(remembered, "on")
    state.set(stateNow())
  }
  return { state: current, toggle: () => void toggle() }
}

/** In milliseconds. Some notices depend on how long a state lasts, so they are checked even without changes. */
const interval = 1000

/** Use it once, in a component that stays mounted. */
export const useNotifying = (): void => {
  const { board, router } = usePage()
  const current = useStore(state)
  useEffect(() => state.set(stateNow()), [])
  useEffect(() => {
    if (current !== "on") return
    const notifier = createNotifier()
    const notices = createNotices()
    const check = async (): Promise<void> => {
      if (!board.isRead.value) return
      for (const { event, session, message } of notices(board.rows.value, new Date())) {
        // Only the tab with the connection notifies. The other tabs keep track, in case they take over.
        if (!told.includes(event) || !board.isSpeaker()) continue
        const path = pathOf({ view: "session", key: session.key })
        const title = headings[event] ?? ""
        if (!(await notifier.show({ title, body: message, tag: `${event} ${session.key}`, path }))) state.set("missing")
      }
    }
    // Records the current state, about which the person is not notified.
    void check()
    const timer = setInterval(() => void check(), interval)
    // Timers are slow in a hidden tab, but changes arrive in time.
    const stop = board.rows.subscribe(() => void check())
    const stopPresses = notifier.onPress((path) => router.go(routeOf(new URL(path, location.href))))
    return () => {
      clearInterval(timer)
      stop()
      stopPresses()
    }
  }, [board, router, current])
}
