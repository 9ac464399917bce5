/** The paired devices, and the notification settings of this browser. */
import { messageOf } from "../../../plan/headway-error.ts"
import type { Devices } from "../../api.ts"
import { useLoaded } from "../live/use-loaded.ts"
import { type NotifyState, useNotifications } from "../notify/use-notifications.ts"
import { usePage } from "../page.ts"
import { Ago } from "../parts/since.tsx"
import { Text } from "../parts/text.tsx"
import { send } from "../request.ts"

export const DevicesView = () => {
  const { toasts } = usePage()
  const { value, error, reload } = useLoaded<Devices>("/api/devices")
  const remove = async ({ id, name }: Devices["devices"][number]): Promise<void> => {
    try {
      await send("DELETE", `/api/devices/${encodeURIComponent(id)}`)
      toasts.say(`${name} can no longer see the board.`)
    } catch (cause) {
      toasts.alert(messageOf(cause))
    }
    await reload()
  }
  return (
    <div className="narrow">
      <h1 className="title" tabIndex={-1}>
        Devices
      </h1>
      <Notifications />
      <section className="panel devices" aria-label="Paired devices">
        <h2>Paired devices</h2>
        {value?.devices.length === 0 && (
          <p className="nothing">
            None. <code>headway serve --lan</code> shows a code in the terminal; scan it with a phone to pair it.
          </p>
        )}
        {!value && <p className="nothing">{error ?? "Reading the list"}</p>}
        <ul>
          {value?.devices.map((device) => (
            <li key={device.id}>
              <div>
                <b>
                  <Text of={device.name} most={100} />
                </b>
                {device.isThis && " (this device)"}
                <p className="faint">
                  paired <Ago at={device.paired} after=" ago" />
                  {device.seen !== undefined && (
                    <>
                      , here <Ago at={device.seen} after=" ago" />
                    </>
                  )}
                </p>
              </div>
              <button type="button" className="button" onClick={() => remove(device)}>
                Revoke<span className="hidden"> {device.name}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

const Notifications = () => {
  const { state, toggle } = useNotifications()
  return (
    <section className="panel" aria-label="Notifications">
      <h2>Notifications in this browser</h2>
      <p className="choice">
        <span>{says[state]}</span>
        {(state === "on" || state === "off") && (
          <button type="button" className="button" aria-pressed={state === "on"} onClick={toggle}>
            {state === "on" ? "Turn off" : "Notify me"}
          </button>
        )}
      </p>
    </section>
  )
}

const says: Readonly<Record<NotifyState, string>> = {
  on: "You are notified when an agent waits for you, and when all todos of a plan are done, while this page is open.",
  off: "Be notified when an agent waits for you, and when all todos of a plan are done, while this page is open.",
  denied: "This browser does not let the page notify you. You can allow it in the browser's settings for this address.",
  missing:
    "This browser cannot notify you here. It needs the page on this computer, or https with a certificate that this device trusts.",
}
