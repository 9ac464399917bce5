/** The title of a session on the page. */

import { nameIn } from "../../../views/board/names.ts"
import { displayNames } from "../../../views/display-names.ts"
import type { Row } from "../../api.ts"

/** A row is never changed in place, so its title is computed once. */
const cache = new WeakMap<Row, string>()

export const titleOf = (row: Row): string => {
  const title = cache.get(row) ?? nameIn(row, displayNames([row]).get(row) ?? { name: row.session })
  cache.set(row, title)
  return title
}
