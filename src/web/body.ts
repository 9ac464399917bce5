/** The body of a request, bounded and checked: a value of a schema, or why it is refused. */
import type { ZodType } from "zod"
import type { Refusal } from "./reply.ts"

/** In bytes. The longest todo, as it was and as it shall be, has room in it. */
const mostBytes = 256 << 10

export const readJson = async <Value>(
  request: Request,
  schema: ZodType<Value>,
): Promise<{ value: Value } | { refusal: Refusal }> => {
  if (mediaTypeOf(request) !== "application/json") return { refusal: notJson }
  const text = await readText(request)
  if (text === undefined) return { refusal: tooLarge }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { refusal: { status: 400, code: "not-json", message: "The request is not JSON." } }
  }
  const { success, data, error } = schema.safeParse(given)
  if (success) return { value: data }
  const [first] = error.issues
  const place = first?.path.length ? `${first.path.join(".")}: ` : ""
  return { refusal: { status: 400, code: "wrong-shape", message: `${place}${first?.message ?? "Wrong shape."}` } }
}

export const mediaTypeOf = ({ headers }: Request): string =>
  (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? ""

/** Undefined where it is too large; it is not read to its end then. */
export const readText = async ({ headers, body }: Request): Promise<string | undefined> => {
  if (Number(headers.get("content-length") ?? 0) > mostBytes) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  if (body) {
    for await (const chunk of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > mostBytes) return undefined
      chunks.push(chunk)
    }
  }
  return Buffer.concat(chunks).toString("utf8")
}

const notJson: Refusal = { status: 415, code: "not-json", message: "Send JSON, as application/json." }

const tooLarge: Refusal = { status: 413, code: "too-large", message: `A request may have at most ${mostBytes} bytes.` }
