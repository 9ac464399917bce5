/** The field in which a todo's text is edited in place. */
import { useEffect, useRef, useState } from "react"

/** Calls `onDone` with the new text, or with undefined if the text stays. */
export const RewordField = ({ content, onDone }: { content: string; onDone: (text: string | undefined) => void }) => {
  const [text, setText] = useState(content)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = field
    current?.focus()
    // As on the terminal board, the caret starts at the end.
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  // Removing the field causes another blur event, which must not end the edit twice.
  const isDone = useRef(false)
  const end = (words: string | undefined): void => {
    if (isDone.current) return
    isDone.current = true
    onDone(words)
  }
  const finish = (): void => end(text.trim() === "" || text.trim() === content ? undefined : text.trim())
  return (
    <textarea
      className="reword"
      aria-label="Reword"
      value={text}
      rows={1}
      dir="auto"
      ref={field}
      onChange={({ target }) => setText(target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === "Escape") end(undefined)
        else if (event.key === "Enter" && !event.shiftKey) finish()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
