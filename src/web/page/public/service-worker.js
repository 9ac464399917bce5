/**
 * Shows the page's notifications where a browser has them from service workers only, as on Android, and leads a press on one to its
 * session. It handles no requests and stores nothing: the page is always the one that the server has.
 */
addEventListener("install", (event) => event.waitUntil(skipWaiting()))
addEventListener("activate", (event) => event.waitUntil(clients.claim()))

addEventListener("notificationclick", (event) => {
  const { notification } = event
  notification.close()
  const path = notification.data?.path
  if (typeof path === "string" && path.startsWith("/session/")) event.waitUntil(open(path))
})

/** In the window that is in sight, else in the one that was last, else in a new one. */
const open = async (path) => {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true })
  const one = windows.find(({ visibilityState }) => visibilityState === "visible") ?? windows[0]
  if (!one) return clients.openWindow(path)
  one.postMessage({ kind: "open", path })
  return one.focus()
}
