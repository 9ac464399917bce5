/** Builds a tool that never throws: input is validated, and every failure becomes a result. */
import type { z } from "zod"
import { sanitise } from "../../plan/index.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { Permission, Tool, ToolContext, ToolResult } from "./tool.ts"

export type ToolParts<Schema extends z.ZodType> = {
  name: string
  description: string
  input: Schema
  example: z.input<Schema>
  /** @default false */
  isReadOnly?: boolean
  /** @default the value of `isReadOnly` */
  isConcurrencySafe?: boolean
  isEnabled?: () => boolean
  needsPermission: (input: z.output<Schema>, context: ToolContext) => Promise<Permission | undefined>
  run: (input: z.output<Schema>, context: ToolContext) => Promise<ToolResult>
}

export const defineTool = <Schema extends z.ZodType>(parts: ToolParts<Schema>): Tool => {
  const { name, input: schema, example, isReadOnly = false, isConcurrencySafe = isReadOnly, isEnabled } = parts
  return {
    ...parts,
    isReadOnly: () => isReadOnly,
    isConcurrencySafe: () => isConcurrencySafe,
    isEnabled: isEnabled ?? (() => true),
    async needsPermission(given, context) {
      const input = schema.safeParse(withoutNulls(given))
      if (!input.success) return undefined
      return parts.needsPermission(input.data, context).catch(() => ({
        action: isReadOnly ? ("read" as const) : ("write" as const),
        target: JSON.stringify(input.data),
        isOutside: true,
        question: `Let ${name} use a path that cannot be resolved?`,
        detail: JSON.stringify(input.data, undefined, 2),
      }))
    },
    async run(given, context) {
      const input = schema.safeParse(withoutNulls(given))
      if (!input.success) return wrongInput(name, input.error, example)
      if (context.signal.aborted) return failed("Interrupted before it began.")
      try {
        const result = await parts.run(input.data, context)
        return { ...result, ...(result.display ? { display: sanitise(result.display) } : {}) }
      } catch (cause) {
        return failed(context.signal.aborted ? "Interrupted." : describeError(cause as NodeJS.ErrnoException))
      }
    },
  }
}

export const failed = (text: string): ToolResult => ({ text, isError: true })

/** Removes nulls, which models write for fields they leave out. */
const withoutNulls = (input: unknown): unknown =>
  isRecord(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) : input

const wrongInput = (name: string, { issues }: z.ZodError, example: unknown): ToolResult => {
  const wrong = issues.map(({ path, message }) => (path.length > 0 ? `"${path.join(".")}": ${message}` : message))
  const reasons = wrong.slice(0, 5).join("; ").slice(0, 1000)
  return failed(`The input of ${name} is wrong: ${reasons}. A valid input is: ${JSON.stringify(example)}`)
}

const reasons: Partial<Record<string, string>> = {
  EACCES: "Permission denied",
  EPERM: "Not permitted",
  ENOSPC: "The disk is full",
  EROFS: "The file system is read-only",
  ENOTDIR: "A part of the path is a file, not a folder",
  EISDIR: "It is a folder",
  ENAMETOOLONG: "The name is too long",
  ELOOP: "The links form a loop",
  EMFILE: "Too many files are open",
}

const describeError = ({ code = "", path, message }: NodeJS.ErrnoException): string => {
  const reason = reasons[code]
  return reason ? `${reason}${path ? `: ${path}` : ""}.` : message.slice(0, 1000)
}
