/** One line of spans, drawn as the screen allows. */
import { Text } from "ink"
import { sanitiseRow } from "../../plan/text/sanitise.ts"
import type { Line as SpanLine, Style } from "../../views/span.ts"
import { useAppearance } from "./appearance.tsx"

/** Never wraps: the line has been cut to fit. */
export const Line = ({ line }: { line: SpanLine }) => {
  const { colour } = useAppearance()
  return (
    <Text wrap="truncate">
      {line.map(({ text, style }, index) => (
        // Spans have no name of their own and never change places.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Text key={index} {...(colour && style ? propsOf(style) : {})}>
          {sanitiseRow(text)}
        </Text>
      ))}
    </Text>
  )
}

const propsOf = ({ bold = false, dim = false, struck = false, inverse = false, colour }: Style) => ({
  bold,
  inverse,
  dimColor: dim,
  strikethrough: struck,
  ...(colour === undefined ? {} : { color: colour }),
})
