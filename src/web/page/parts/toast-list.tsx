/** The messages at the bottom of the page, in live regions for screen readers. */
import { useEffect, useState } from "react"
import { usePage } from "../page.ts"
import { useStore } from "../store.ts"
import { Text } from "./text.tsx"
import type { Toast } from "./toasts.ts"

/** In milliseconds. Long enough to read a message and reach its button. */
const shown = 9_000

export const ToastList = () => {
  const { toasts } = usePage()
  const all = useStore(toasts)
  const of = (isAlert: boolean) =>
    all.filter((one) => one.isAlert === isAlert).map((one) => <ToastItem key={one.id} toast={one} />)
  return (
    <div className="toasts">
      <div role="alert">{of(true)}</div>
      <div role="status">{of(false)}</div>
    </div>
  )
}

const ToastItem = ({ toast }: { toast: Toast }) => {
  const { toasts } = usePage()
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => toasts.close(toast.id), shown)
    return () => clearTimeout(timer)
  }, [isHeld, toast.id, toasts])
  const hold = (held: boolean) => () => setHeld(held)
  const { action } = toast
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a message stays for as long as a person reads it or is on its button
    <div
      className={toast.isAlert ? "toast alert" : "toast"}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
      <Text of={toast.text} most={600} />
      {action && (
        <button
          type="button"
          className="button"
          onClick={() => {
            toasts.close(toast.id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="close" aria-label="Close this message" onClick={() => toasts.close(toast.id)}>
        ×
      </button>
    </div>
  )
}
