/**
 * Shows browser notifications: through a service worker if possible, which phones require, otherwise from the page
 * itself.
 */

export type Shown = {
  title: string
  body: string
  /** A notification replaces an earlier one with the same tag. */
  tag: string
  /** The view that pressing the notification opens. */
  path: string
}

export type Notifier = {
  /** Resolves with whether the notification was shown. */
  show(notification: Shown): Promise<boolean>
  /** Calls `open` when a notification is pressed. Returns a function that stops this. */
  onPress(open: (path: string) => void): () => void
}

/** Registers a service worker, so call it only when the person wants notifications. */
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

/**
 * Undefined if the browser allows no service worker here, such as in a private window or with an untrusted certificate.
 */
const register = async (): Promise<ServiceWorkerRegistration | undefined> => {
  try {
    await navigator.serviceWorker.register("/service-worker.js")
    return await navigator.serviceWorker.ready
  } catch {
    return undefined
  }
}
