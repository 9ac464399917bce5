/** The error class for callers' mistakes, with a string code. An agent's mistake is a `Problem`. */

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

/** The message of anything that was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
