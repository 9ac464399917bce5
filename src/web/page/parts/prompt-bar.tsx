/** The bar at the bottom in which a line is typed, as on the terminal board. */
import { useEffect, useRef, useState } from "react"
import { usePage } from "../page.ts"
import { useStore } from "../store.ts"
import type { Prompt } from "./prompts.ts"

export const PromptBar = () => {
  const prompt = useStore(usePage().prompts)
  return prompt && <PromptDialog key={prompt.label + prompt.text} prompt={prompt} />
}

const PromptDialog = ({ prompt }: { prompt: Prompt }) => {
  const { prompts } = usePage()
  const [text, setText] = useState(prompt.text)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    const before = document.activeElement
    current?.showModal()
    return () => {
      current?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const close = (): void => prompts.set(undefined)
  const submit = (): void => {
    const answer = text.trim()
    close()
    if (answer !== "" || prompt.mayBeEmpty) prompt.answer(answer)
  }
  return (
    <dialog ref={dialog} className="prompt" aria-label={prompt.label} onCancel={close} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label>
          <span>{prompt.label}</span>
          <textarea
            rows={Math.min(8, 1 + Math.floor(text.length / 60))}
            value={text}
            dir="auto"
            enterKeyHint="done"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              submit()
            }}
          />
        </label>
        <p className="actions">
          <button type="submit" className="button main">
            {prompt.does}
          </button>
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  )
}
