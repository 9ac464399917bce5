/** An agent's question or error in full, so that the person can decide. */
import type { ReactNode } from "react"
import type { Row } from "../../api.ts"
import { Text } from "../parts/text.tsx"

type AskProps = {
  row: Row
  /** The sub-agent that asks. */
  from?: string | undefined
  /** Buttons for the person's reaction. */
  children?: ReactNode
}

export const Question = ({ row, from, children }: AskProps) => {
  const { waitsFor, error, current } = row
  const isFailed = row.state === "failed"
  const kind = isFailed ? "failed" : (waitsFor?.kind ?? "turn")
  const text = (isFailed ? error : waitsFor?.text)?.trim() ?? ""
  const at = kind === "turn" && text === "" ? current?.trim() : undefined
  return (
    <div className="ask">
      <b className="asks">
        {headings[kind]}
        {from !== undefined && (
          <>
            {", says "}
            <Text of={from} most={120} />
          </>
        )}
      </b>
      {text !== "" && kind === "permission" && (
        <code>
          <Text of={text} as="exact" most={4000} className="clamp to-many" />
        </code>
      )}
      {text !== "" && kind !== "permission" && <Text of={text} as="lines" most={4000} className="clamp to-many" />}
      {at && (
        <span>
          It stopped at: <Text of={at} most={300} />
        </span>
      )}
      {children}
    </div>
  )
}

const headings = {
  permission: "Needs your permission",
  question: "Asks you",
  turn: "Your turn",
  failed: "Stopped because of an error",
} as const
