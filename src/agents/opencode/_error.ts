/** Why a turn of opencode did not come to its end, from the error it keeps or tells. */
import { type Fields, fieldsOf, interrupted, textOf } from "../../streams/line.ts"

export const reasonOf = ({ name, data }: Fields): unknown =>
  name === "MessageAbortedError" ? interrupted : (textOf(fieldsOf(data).message) ?? name)
