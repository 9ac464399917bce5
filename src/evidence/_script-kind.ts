/** Guesses the purpose of a project's script from its name. */
import type { CommandKind } from "./command-kind.ts"

/** What a script or target is for, by its name, such as `test:unit`, `lint`, `typecheck`, `ci`. */
export const scriptKind = (name: string): CommandKind | undefined => {
  const parts = name.toLowerCase().split(/[:/._-]/)
  const has = (words: readonly string[]): boolean => parts.some((part) => words.includes(part))
  // Watchers and servers do not end.
  if (has(["watch", "dev", "serve", "start"])) return undefined
  if (has(preparing) || leading.includes(parts[0] ?? "") || testThing.test(name)) return undefined
  // Staged files are fixed as well as checked, and if nothing is staged, nothing is checked.
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

/** With these words, a test or a check is only what something is prepared for: `setup:test-db`, `check-updates`, `check_status`. */
const preparing: readonly string[] =
  "setup teardown seed seeds reset prepare install create drop stop kill up down status health updates outdated".split(
    " ",
  )

/** A name that begins like this is about something else than what follows: `clean:build`, `deploy:ci`. */
const leading: readonly string[] =
  "clean update deploy publish release open view show list report generate gen init".split(" ")

/** What tests need, and not the tests of it, which are `test:db`. */
const testThing = /(?:^|[:/._-])tests?[-_](?:db|database|server|env|data)$/i
