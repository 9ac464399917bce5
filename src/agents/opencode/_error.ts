/** Why a turn of opencode failed, from the error it stores or reports. */
import { type Fields, fieldsOf, interrupted, textOf } from "../../streams/line.ts"

export const reasonOf = ({ name, data }: Fields): unknown =>
  name === "MessageAbortedError" ? interrupted : (textOf(fieldsOf(data).message) ?? name)
