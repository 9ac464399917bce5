/** The error for a missing optional package, which says how to install it. */
import { HeadwayError } from "../plan/headway-error.ts"

/**
 * The error to throw for a failed import: a clear message if one of these packages is missing, otherwise the cause
 * itself.
 */
export const missingPackage = (cause: unknown, needs: string, packages: Readonly<Record<string, string>>): unknown => {
  const { code, message = "" } = (cause ?? {}) as { code?: unknown; message?: string }
  const name = Object.keys(packages).find((one) => message.includes(`'${one}'`) || message.includes(`'${one}/`))
  if (code !== "ERR_MODULE_NOT_FOUND" || name === undefined) return cause
  const wanted = Object.entries(packages).map(([one, version]) => (version === "" ? one : `"${one}@${version}"`))
  return new HeadwayError(
    "missing-package",
    `${needs} needs the package ${name}, which is not installed. Install it: npm install ${wanted.join(" ")}`,
    { cause },
  )
}
