/** The words of a todo, being changed in their place. */
import { useEffect, useRef, useState } from "react"

/** Hands over the new words, or nothing when they are to stay. */
export const RewordField = ({ content, onDone }: { content: string; onDone: (text: string | undefined) => void }) => {
  const [text, setText] = useState(content)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = field
    current?.focus()
    // As on the terminal board, the caret is after the last word.
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  // It goes away when it is done, and is left by that once more.
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
