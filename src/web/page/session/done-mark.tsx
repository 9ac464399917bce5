/** The evidence for a done todo: a sign next to its checkbox, and the facts as sentences when selected. */
import { type DoneMark, doubtText, labelOf, markAppearance, markKind } from "../../../views/plan/evidence-marks.ts"
import { keyed, Text } from "../parts/text.tsx"

/** Without a mark, an empty place, so that the texts of all todos are aligned. */
export const Mark = ({ mark }: { mark: DoneMark | undefined }) =>
  mark ? (
    <span className={`mark ${markKind(mark)}`} title={labelOf(mark)}>
      <span aria-hidden="true">{markAppearance(mark).sign}</span>
      <span className="hidden">{labelOf(mark)}</span>
    </span>
  ) : (
    <span className="mark" />
  )

export const MarkDetails = ({ mark }: { mark: DoneMark }) => (
  <details className={`behind ${markKind(mark)}`} open={mark.word === "contradicted"}>
    <summary>{labelOf(mark)}</summary>
    <ul>
      {keyed(mark.sentences).map(([key, sentence]) => (
        <li key={key}>
          <Text of={sentence} most={600} />
        </li>
      ))}
    </ul>
  </details>
)

/** The number of todos marked done although the last check failed. */
export const Doubt = ({ count = 0 }: { count: number | undefined }) =>
  count > 0 ? <span className="doubt">{doubtText(count)}</span> : null
