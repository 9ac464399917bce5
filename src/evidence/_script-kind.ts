/** Guesses the purpose of a project's script from its name. */
import type { CommandKind } from "./command-kind.ts"

/** What a script or target is for, by its name, such as `test:unit`, `lint`, `typecheck`, `ci`. */
export const scriptKind = (name: string): CommandKind | undefined => {
  const parts = name.toLowerCase().split(/[:/._-]/)
  const has = (words: readonly string[]): boolean => parts.some((part) => words.includes(part))
  // Watchers and servers do not end.
  if (has(["watch", "dev", "serve", "start"])) return undefined
  if (/type-?s?check|check-?types|^tsc?$|typing/i.test(name) || has(["tsc", "types", "mypy", "pyright"]))
    return "type-check"
  if (has(["fmt", "format", "prettier"])) return has(["check", "verify"]) ? "lint" : "format"
  if (has(["fix"])) return "format"
  if (
    has([
      "test",
      "tests",
      "spec",
      "specs",
      "unit",
      "integration",
      "e2e",
      "vitest",
      "jest",
      "pytest",
      "cov",
      "coverage",
      "verify",
      "ci",
      "smoke",
    ])
  )
    return "test"
  if (has(["lint", "eslint", "biome", "ruff", "check", "clippy", "vet", "validate", "stylelint"])) return "lint"
  if (has(["build", "compile", "bundle", "dist"])) return "build"
  return undefined
}
