/** A problem with a call, as a value with a message that its sender can act on. */

export type Problem = {
  code: string
  /** One sentence, ready to be shown to a model or a person. */
  message: string
  /**
   * `error`: the call, or the part of it named here, was not done. `warning`: done, but the sender should know.
   * `repair`: the shape was repaired silently; not worth a model's tokens.
   */
  severity: "error" | "warning" | "repair"
}

const problem =
  (severity: Problem["severity"]) =>
  (code: string, message: string): Problem => ({ code, message, severity })

export const error: (code: string, message: string) => Problem = problem("error")
export const warning: (code: string, message: string) => Problem = problem("warning")
export const repair: (code: string, message: string) => Problem = problem("repair")

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some(({ severity }) => severity === "error")

export const firstError = (problems: readonly Problem[]): Problem | undefined =>
  problems.find(({ severity }) => severity === "error")
