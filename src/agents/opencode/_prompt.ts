/** Reads what a person typed from a part of their message in opencode. */
import { type Fields, textOf } from "../../streams/line.ts"

/** Undefined for a part that the client added, such as a file's content, and for a part that is not sent. */
export const typedIn = ({ type, text, synthetic, ignored }: Fields): string | undefined =>
  type === "text" && synthetic !== true && ignored !== true ? textOf(text) : undefined
