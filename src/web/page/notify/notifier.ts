/** Shows one notification of the browser: through a service worker, which is the only way on phones, else as the page itself. */

export type Shown = {
  title: string
  body: string
  /** One that has the tag of another takes its place. */
  tag: string
  /** The view that a press on it leads to. */
  path: string
}

export type Notifier = {
  /** Resolves with whether it was shown. */
  show(notification: Shown): Promise<boolean>
  /** Returns how to stop. */
  onPress(open: (path: string) => void): () => void
}

/** Call it when notifications are wanted: only then does the browser get a service worker. */
export const createNotifier = (): Notifier => {
  const listeners = new Set<(path: string) => void>()
  const pressed = (path: string): void => {
    for (const listener of listeners) listener(path)
  }
  const worker = register()
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    const { kind, path } = (data ?? {}) as { kind?: unknown; path?: unknown }
    if (kind === "open" && typeof path === "string") pressed(path)
  }
  return {
    async show({ title, body, tag, path }) {
      const options = { body, tag, icon: "/icon-192.png", data: { path } }
      try {
        const registration = await worker
        if (registration) await registration.showNotification(title, options)
        else {
          const notification = new Notification(title, options)
          notification.onclick = () => {
            focus()
            pressed(path)
            notification.close()
          }
        }
        return true
      } catch {
        return false
      }
    },
    onPress(open) {
      if (listeners.size === 0) navigator.serviceWorker?.addEventListener("message", onMessage)
      navigator.serviceWorker?.startMessages()
      listeners.add(open)
      return () => {
        listeners.delete(open)
        if (listeners.size === 0) navigator.serviceWorker?.removeEventListener("message", onMessage)
      }
    },
  }
}

/** Undefined where the browser has none for this page, such as in a private window or with a certificate it does not trust. */
const register = async (): Promise<ServiceWorkerRegistration | undefined> => {
  try {
    await navigator.serviceWorker.register("/service-worker.js")
    return await navigator.serviceWorker.ready
  } catch {
    return undefined
  }
}
