/** Turns errors of the system into messages that name the file. */
import { HeadwayError, isHeadwayError, messageOf } from "../../plan/index.ts"

/** The error codes for a full disk, quota or file size limit. */
const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

export const orExplain = <Result>(path: string, what: string, action: () => Result): Result => {
  try {
    return action()
  } catch (cause) {
    if (isHeadwayError(cause)) throw cause
    const code = noRoom.has((cause as NodeJS.ErrnoException).code ?? "") ? "store-full" : "store-failed"
    throw new HeadwayError(code, `${path} could not be ${what}: ${messageOf(cause)}`, { cause })
  }
}
