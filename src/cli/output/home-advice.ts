/** Says what a person can do where Headway may not use the folder that it keeps its files in. */
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { isSystemError, systemSentence } from "./system-error.ts"

/** The codes of a folder that cannot be used as it is; a full disk or a lost file needs something else. */
const unusable: readonly string[] = ["EACCES", "EPERM", "EROFS", "ENOTDIR"]

/** The error with the advice, if it is about a file in this home; any other error as it is. */
export const withHomeAdvice = (cause: unknown, home: string): unknown => {
  const fault = isHeadwayError(cause) ? cause.cause : cause
  if (!isSystemError(fault) || !unusable.includes(fault.code ?? "") || !fault.message.includes(home)) return cause
  const code = isHeadwayError(cause) ? cause.code : "home-unusable"
  const what = isHeadwayError(cause) ? cause.message : systemSentence(fault)
  const advice = `Headway keeps its files in ${home}. To keep them in another folder, name it with --home DIR or HEADWAY_HOME.`
  return new HeadwayError(code, `${what}\n${advice}`, { cause })
}
