/** Search results: sessions by words in titles, prompts and todos. */
import { useDeferredValue, useEffect, useState } from "react"
import { stateWords } from "../../../views/board/glyphs.ts"
import { placeOf } from "../../../views/board/names.ts"
import type { Found, Row } from "../../api.ts"
import { useLoaded } from "../live/use-loaded.ts"
import { classOf } from "../now/card.tsx"
import { titleOf } from "../now/title.ts"
import { useCardCommands } from "../now/use-card-commands.ts"
import { useShownRows } from "../parts/filter.ts"
import { FilterChoice } from "../parts/filter-choice.tsx"
import { RouteLink } from "../parts/route-link.tsx"
import { Ago } from "../parts/since.tsx"
import { shownText, Text } from "../parts/text.tsx"
import { Windowed } from "../parts/windowed.tsx"

/** In milliseconds. Letters that follow each other faster start a single search. */
const pause = 150

export const SearchView = ({ words }: { words: string }) => {
  const rows = useDeferredValue(useShownRows().shown)
  const [asked, setAsked] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), pause)
    return () => clearTimeout(timer)
  }, [words])
  useCardCommands()
  const isEmpty = asked.trim() === ""
  const { value, error } = useLoaded<Found>(isEmpty ? undefined : `/api/search?q=${encodeURIComponent(asked.trim())}`)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const found = (value?.found ?? []).flatMap(({ key, text }) => {
    const row = byKey.get(key)
    return row ? [{ row, text }] : []
  })
  const count = found.length === 1 ? "1 session" : `${found.length} sessions`
  return (
    <>
      <h1 className="title" tabIndex={-1}>
        Search
      </h1>
      <FilterChoice />
      <p className="said" role="status">
        {isEmpty
          ? "Type words from a session's title, your prompts, or its todos."
          : (error ?? (value ? (found.length === 0 ? "No session contains all of these words." : count) : "Searching"))}
      </p>
      <div className="found" data-pane="found">
        <Windowed
          as="ul"
          items={found}
          height={84}
          label="Sessions found"
          render={({ row, text }) => <FoundSession key={row.key} row={row} text={text} words={asked} />}
        />
      </div>
    </>
  )
}

const FoundSession = ({ row, text, words }: { row: Row; text: string; words: string }) => (
  <li className={`card ${classOf(row.state)}`} data-key={row.key}>
    <h2>
      <RouteLink to={{ view: "session", key: row.key }} data-stop="card" data-key={row.key}>
        <span dir="auto">{marked(shownText(titleOf(row), 300), words)}</span>
      </RouteLink>
    </h2>
    <p className="meta">
      <span className="agent">{row.agentName}</span>
      <Text of={placeOf(row)} most={80} />
      <span>{stateWords[row.state]}</span>
      <Ago at={row.updated} after=" ago" />
    </p>
    {!isInTitle(text, titleOf(row)) && (
      <p className="excerpt" dir="auto">
        {marked(shownText(text, 600), words)}
      </p>
    )}
  </li>
)

/** Whether the title already contains the match. */
const isInTitle = (text: string, title: string): boolean => title.includes(text.trim().replace(/…$/, ""))

/** Highlights the search words where they occur. */
const marked = (text: string, words: string) => {
  const wanted = words.trim().split(/\s+/).filter(Boolean)
  const pattern = new RegExp(`(${wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "giu")
  if (wanted.length === 0) return text
  let at = 0
  return text.split(pattern).map((part, index) => {
    at += part.length
    return index % 2 === 1 ? <mark key={at}>{part}</mark> : part
  })
}
