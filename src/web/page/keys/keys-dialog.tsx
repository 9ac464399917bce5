/** The dialog with all keys, made from the same table that assigns them. */
import { useEffect, useRef } from "react"
import { keyHelp } from "../../../views/board/keys.ts"
import { markAppearances, markKinds, marksDisclaimer } from "../../../views/plan/evidence-marks.ts"

const help = keyHelp({ open: true, search: true, mouse: false, terminal: false })

export const KeysDialog = ({ onClose }: { onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    // The browser has focused the button at the end, and scrolled to it.
    dialog.current?.scrollTo(0, 0)
  }, [])
  return (
    <dialog
      ref={dialog}
      className="keys"
      aria-labelledby="keys-title"
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === "?" || event.key === "q") dialog.current?.close()
      }}
    >
      <h2 id="keys-title">Keys</h2>
      <dl>
        {help.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(/, |(?<!page) /).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <h3>Marks beside done todos</h3>
      <dl className="marks">
        {markKinds.map((kind) => (
          <div key={kind}>
            <dt>
              <span className={`mark ${kind}`}>{markAppearances[kind].sign}</span>
            </dt>
            <dd>{markAppearances[kind].meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="faint">{marksDisclaimer}</p>
      <p className="actions">
        <button type="button" className="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </p>
    </dialog>
  )
}
