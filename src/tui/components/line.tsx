/** One line of spans, with or without colour. */
import { Text } from "ink"
import { sanitiseRow } from "../../plan/text/sanitise.ts"
import { readColour, type Line as SpanLine, type Style } from "../../views/text/span.ts"
import { useAppearance } from "./appearance.tsx"

/** Does not wrap: the caller has cut the line to fit. */
export const Line = ({ line }: { line: SpanLine }) => {
  const { colour } = useAppearance()
  return (
    <Text wrap="truncate">
      {line.map(({ text, style }, index) => (
        // Spans have no names and never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Text key={index} {...(colour && style ? propsOf(style) : {})}>
          {sanitiseRow(text)}
        </Text>
      ))}
    </Text>
  )
}

const propsOf = ({ bold = false, dim = false, struck = false, inverse = false, colour: given }: Style) => {
  const colour = given && readColour(given)
  return { bold, inverse, dimColor: dim, strikethrough: struck, ...(colour ? { color: colour } : {}) }
}
