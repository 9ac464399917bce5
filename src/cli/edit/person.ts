/** Who sits at the keyboard. */
import { userInfo } from "node:os"
import type { Actor } from "../../plan/index.ts"
import type { Io } from "../io.ts"

export const personAt = ({ env }: Io): Actor => ({ kind: "person", id: env.USER || env.USERNAME || loginName() })

const loginName = (): string => {
  try {
    return userInfo().username
  } catch {
    return "person"
  }
}
