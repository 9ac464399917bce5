/** The title and icon of the browser tab: how many agents wait for the person, and the progress. */
import { useEffect, useMemo } from "react"
import { countsOf } from "../../../views/board/families.ts"
import { titleOf } from "../now/title.ts"
import { usePage } from "../page.ts"
import { shownText } from "../parts/text.tsx"
import { useStore } from "../store.ts"

export const useTabSign = (): void => {
  const { board, router } = usePage()
  const rows = useStore(board.rows)
  const route = useStore(router)
  const waiting = useMemo(() => countsOf(rows).by.get("waiting") ?? 0, [rows])
  const row = route.view === "session" ? rows.find(({ key }) => key === route.key) : undefined
  const { completed, total } = row?.progress ?? overall(rows)
  const name = row ? `${total > 0 ? `${completed}/${total} ` : ""}${shownText(titleOf(row), 80)} · Headway` : "Headway"
  const title = waiting > 0 ? `(${waiting}) ${name}` : name
  useEffect(() => {
    document.title = title
  }, [title])
  const share = total === 0 ? 0 : Math.round((completed / total) * 24) / 24
  const isWaiting = waiting > 0
  const icon = useMemo(() => iconOf(share, isWaiting), [share, isWaiting])
  useEffect(() => {
    document.querySelector("link[rel=icon]")?.setAttribute("href", icon)
  }, [icon])
}

/** The total progress of all live sessions. */
const overall = (rows: ReturnType<typeof usePage>["board"]["rows"]["value"]): { completed: number; total: number } => {
  const live = rows.filter(({ state }) => state === "working" || state === "waiting" || state === "stalled")
  return {
    completed: live.reduce((sum, { progress }) => sum + progress.completed, 0),
    total: live.reduce((sum, { progress }) => sum + progress.total, 0),
  }
}

const round = 2 * Math.PI * 11

/** A ring that fills with the progress, and a dot while an agent waits. */
const iconOf = (share: number, isWaiting: boolean): string => {
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    '<circle cx="16" cy="16" r="11" fill="none" stroke="#8b9199" stroke-opacity=".45" stroke-width="6"/>',
    `<circle cx="16" cy="16" r="11" fill="none" stroke="#1f9d57" stroke-width="6" stroke-dasharray="${share * round} ${round}" transform="rotate(-90 16 16)"/>`,
    isWaiting ? '<circle cx="24" cy="8" r="8" fill="#7a3ff2"/>' : "",
    "</svg>",
  ]
  return `data:image/svg+xml,${encodeURIComponent(svg.join(""))}`
}
