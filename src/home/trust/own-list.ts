/** A list of the person's in one file of the home, such as what they trust: read leniently, changed only where all of it is understood. */
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { foreignTextIn, readForeignText } from "../reading/foreign-file.ts"

/** The items of a list that are understood; none where it cannot be read. */
export const readOwnList = <Item>(path: string, name: string, isItem: (value: unknown) => value is Item): Item[] => {
  const value = parseJson(foreignTextIn(path) ?? "")
  const items = isRecord(value) ? value[name] : undefined
  return Array.isArray(items) ? items.filter(isItem) : []
}

/** The same to be written again. Throws where something would be lost: a newer Headway wrote it, or it cannot be read now. */
export const readOwnListToChange: typeof readOwnList = (path, name, isItem) => {
  const text = textToChange(path)
  if (text !== undefined && versionIn(text) > 1)
    throw new HeadwayError("newer-file", `${path} was written by a newer Headway. Update this one to change it.`)
  return readOwnList(path, name, isItem)
}

const textToChange = (path: string): string | undefined => {
  try {
    return readForeignText(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw new HeadwayError("unreadable-file", `${path} cannot be read, so it is not changed: ${messageOf(cause)}`, {
      cause,
    })
  }
}

/** 1 if it is damaged: no version can read it. */
const versionIn = (text: string): number => {
  const value = parseJson(text)
  return isRecord(value) && typeof value.v === "number" ? value.v : 1
}
