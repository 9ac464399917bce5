/** Guesses the purpose of a project's script from its name. */
import type { CommandKind } from "./command-kind.ts"

/** The kind of a script or target by its name, such as `test:unit`, `lint`, `typecheck`, `ci`. */
export const scriptKind = (name: string): CommandKind | undefined => {
  const parts = name.toLowerCase().split(/[:/._-]/)
  const has = (words: readonly string[]): boolean => parts.some((part) => words.includes(part))
  // Watchers and servers do not end.
  if (has(["watch", "dev", "serve", "start"])) return undefined
  if (has(preparing) || leading.includes(parts[0] ?? "") || testThing.test(name)) return undefined
  // Such scripts fix staged files as well as check them, and check nothing if nothing is staged.
  if (has(["staged"])) return "format"
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

/**
 * With these words, a script only prepares a test or looks something up: `setup:test-db`, `check-updates`,
 * `check_status`.
 */
const preparing: readonly string[] =
  "setup teardown seed seeds reset prepare install create drop stop kill up down status health updates outdated".split(
    " ",
  )

/** Words at the beginning of a name that outweigh the following ones: `clean:build`, `deploy:ci`. */
const leading: readonly string[] =
  "clean update deploy publish release open view show list report generate gen init".split(" ")

/** Something that tests need, such as `test-db`; `test:db` would be tests of a database. */
const testThing = /(?:^|[:/._-])tests?[-_](?:db|database|server|env|data)$/i
