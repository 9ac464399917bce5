/** What a caller did wrong, as one error class with a string code. What an agent sent wrong is a `Problem`. */

export class HeadwayError extends Error {
  override readonly name = "HeadwayError"
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Recognises the error also across two copies of the package, where `instanceof` fails. */
export const isHeadwayError = (value: unknown): value is HeadwayError =>
  value instanceof Error && value.name === "HeadwayError" && typeof (value as { code?: unknown }).code === "string"

/** What went wrong, in words, whatever was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
