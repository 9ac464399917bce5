/** The progress of a plan: a bar and numbers. */
import type { ReactNode } from "react"
import type { Row } from "../../api.ts"

export const ProgressBar = ({ progress, children }: { progress: Row["progress"]; children?: ReactNode }) => {
  const { completed, total } = progress
  return (
    <p className="progress">
      <span className="track" aria-hidden="true">
        <span className="fill" style={{ width: `${total === 0 ? 0 : (completed / total) * 100}%` }} />
      </span>
      <span>
        {completed} of {total}
        {children}
      </span>
    </p>
  )
}
