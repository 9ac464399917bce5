/** The types of options, how each is parsed, and the errors for wrong values. */
import { HeadwayError } from "../../plan/headway-error.ts"
import { readDuration } from "../duration.ts"

export type Option = {
  short?: string
  about: string
} & (
  | { type: "boolean" }
  | StringOption
  | { type: "choice"; of: readonly string[]; value?: string }
  | NumberOption
  | { type: "duration"; value: string; takesZero?: boolean }
)

type StringOption = {
  type: "string"
  value: string
  /** Values for completion. The command itself validates. @default none */
  known?: readonly string[]
}

type NumberOption = {
  type: "number"
  /** The placeholder of the value in the help, here and below. */
  value: string
  from: number
  to?: number
  /** `0.5` is a number too. @default false */
  takesFraction?: boolean
  /** `32k` is 32000. @default false */
  takesThousands?: boolean
}

export type Options = Readonly<Record<string, Option>>

/** The parsed value of a given option. */
export type ValueOf<One extends Option> = One extends { type: "boolean" }
  ? boolean
  : One extends { type: "choice"; of: readonly (infer Word)[] }
    ? Word
    : One extends { type: "number" | "duration" }
      ? number
      : string

/** The parsed values of all options; undefined if not given. */
export type ValuesOf<Known extends Options> = { readonly [Name in keyof Known]?: ValueOf<Known[Name]> | undefined }

/** The placeholder of the value in the help, if the option has a value. */
export const placeholderOf = (option: Option): string | undefined => {
  if (option.type === "boolean") return undefined
  return option.type === "choice" ? (option.value ?? option.of.join("|")) : option.value
}

/** Parses the value of one option. Throws if it is invalid. */
export const readOption = (name: string, option: Option, typed: string): string | number => {
  switch (option.type) {
    case "choice":
      return readChoice(name, option.of, typed)
    case "number":
      return readNumber(name, option, typed)
    case "duration": {
      const milliseconds = readDuration(typed)
      if (milliseconds || (milliseconds === 0 && option.takesZero)) return milliseconds
      throw wrong(name, "a length of time such as 30d, 12h, 45m or 90s", typed)
    }
    default:
      return typed
  }
}

const readChoice = (name: string, words: readonly string[], typed: string): string => {
  if (words.includes(typed)) return typed
  throw wrong(name, `one of ${words.join(", ")}`, typed)
}

const readNumber = (name: string, option: NumberOption, typed: string): number => {
  const { from, to = Number.MAX_SAFE_INTEGER, takesFraction = false, takesThousands = false } = option
  const [, digits, fraction, thousands] = /^(\d+)(\.\d+)?(k?)$/i.exec(typed) ?? []
  const isWritten = digits !== undefined && (takesFraction || !fraction) && (takesThousands || !thousands)
  const number = isWritten ? Number(`${digits}${fraction ?? ""}`) * (thousands ? 1000 : 1) : Number.NaN
  if (number >= from && number <= to) return number
  throw wrong(name, `a number from ${from}${option.to === undefined ? "" : ` to ${to}`}`, typed)
}

const wrong = (name: string, wanted: string, typed: string): HeadwayError =>
  new HeadwayError("usage", `--${name} takes ${wanted}, not "${typed}".`)
