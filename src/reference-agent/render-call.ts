/** Decides how a call is shown at each moment: with the tool's own line, not at all, or with the agent's default. */
import { sanitise } from "../plan/index.ts"
import type { AgentTool } from "./registry.ts"
import type { ToolResult } from "./tools/index.ts"

/**
 * `display` is a line that is safe to show, `isSilent` means that nothing is shown. With neither, the screen uses its
 * own text.
 */
export type Drawn = { display?: string; isSilent: boolean }

export type CallRenderer = {
  use(input: unknown): Drawn
  /** Undefined if nothing is shown. */
  progress(text: string): string | undefined
  end(input: unknown, result: ToolResult & { isRejected?: boolean }): Drawn
}

/** An error in a host's renderer does not affect the call. */
export const rendererOf = (tool: AgentTool | undefined): CallRenderer => {
  const isSilent = tool?.isSilent ?? false
  const drawn = (line: string | null | undefined, display?: string): Drawn => {
    const shown = typeof line === "string" ? sanitise(line) : display
    return { isSilent: isSilent || line === null, ...(shown ? { display: shown } : {}) }
  }
  return {
    use: (input) => drawn(quietly(() => tool?.renderToolUseMessage?.(input))),
    progress: (text) => {
      const line = quietly(() => tool?.renderToolUseProgressMessage?.(text))
      return line === null ? undefined : (line ?? text)
    },
    end(input, { isRejected = false, ...result }) {
      if (isRejected) return drawn(quietly(() => tool?.renderToolUseRejectedMessage?.(input, result.text)))
      const line = quietly(() =>
        result.isError ? tool?.renderToolUseErrorMessage?.(result) : tool?.renderToolResultMessage?.(result),
      )
      return drawn(line, result.display)
    },
  }
}

const quietly = (render: () => string | null | undefined): string | null | undefined => {
  try {
    return render()
  } catch {
    return undefined
  }
}
