/** What a person typed, from a part of one of their messages in opencode. */
import { type Fields, textOf } from "../../streams/line.ts"

/** Undefined for a part that the client added, such as the contents of a file, and for one that it does not send. */
export const typedIn = ({ type, text, synthetic, ignored }: Fields): string | undefined =>
  type === "text" && synthetic !== true && ignored !== true ? textOf(text) : undefined
