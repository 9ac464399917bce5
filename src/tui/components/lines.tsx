/** Several lines, each on exactly one row. */
import { Box, Text } from "ink"
import { plainLine, type Line as SpanLine } from "../../views/text/span.ts"
import { Line } from "./line.tsx"

/** Draws nothing if there are no lines. */
export const Lines = ({ lines }: { lines: readonly SpanLine[] }) =>
  lines.length === 0 ? null : (
    <Box flexDirection="column">
      {lines.map((line, index) => {
        // A line is identified by its row: if a line is removed, those below move up.
        const key = index
        // Ink gives an empty text no row.
        return plainLine(line) === "" ? <Text key={key}> </Text> : <Line key={key} line={line} />
      })}
    </Box>
  )
