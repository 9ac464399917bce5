/** Reads the body of a request with a size limit: returns a value of a schema, or the reason for the refusal. */
import type { ZodType } from "zod"
import type { Refusal } from "./reply.ts"

/** In bytes. Enough for the longest todo in its old and new wording. */
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

/** Undefined if it is too large; the rest is not read. */
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
