/** Short messages about what just happened, some with an undo button. */
import { createStore, type Store } from "../store.ts"

export type Toast = {
  id: number
  text: string
  /** Whether something was refused or went wrong. A screen reader announces an alert at once. */
  isAlert: boolean
  action?: { label: string; run: () => void } | undefined
}

export type Toasts = Store<readonly Toast[]> & {
  say(text: string, action?: Toast["action"]): void
  alert(text: string): void
  close(id: number): void
}

/** The most alerts shown at a time. More would cover the page. */
const mostAlerts = 2

export const createToasts = (): Toasts => {
  const store = createStore<readonly Toast[]>([])
  let count = 0
  const add = (toast: Omit<Toast, "id">): void => {
    count += 1
    // The last message describes the last edit, which is also the one that can be undone.
    const alerts = store.value.filter(({ isAlert }) => isAlert)
    const others = toast.isAlert ? store.value.filter(({ isAlert }) => !isAlert) : []
    const kept = toast.isAlert ? alerts.slice(-mostAlerts + 1) : alerts
    store.set([...others, ...kept, { ...toast, id: count }])
  }
  return {
    ...store,
    get value() {
      return store.value
    },
    say: (text, action) => add({ text, isAlert: false, action }),
    alert: (text) => add({ text, isAlert: true }),
    close: (id) => store.set(store.value.filter((one) => one.id !== id)),
  }
}
