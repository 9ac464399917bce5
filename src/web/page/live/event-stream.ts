/** Reads server-sent events from a response. `EventSource` would hide why a connection ended and when it is retried. */

export type ServerEvent = { name: string; id: string | undefined; data: string }

/** Yields the events of each piece that arrives; an empty list is a keep-alive. Ends when the response ends. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ""
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + value).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ""
      yield blocks.flatMap((block) => eventOf(block) ?? [])
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const eventOf = (block: string): ServerEvent | undefined => {
  const fields = block.split(/\r?\n/).map((line): [name: string, value: string] => {
    const colon = line.indexOf(":")
    return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")]
  })
  const data = fields.flatMap(([name, value]) => (name === "data" ? value : []))
  if (data.length === 0) return undefined
  const last = (wanted: string): string | undefined => fields.findLast(([name]) => name === wanted)?.[1]
  return { name: last("event") ?? "message", id: last("id"), data: data.join("\n") }
}
