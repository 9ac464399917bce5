/** Deriving "Running tests" from "Run tests", and leaving alone what is not English or not a verb. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { activeFormOf, deriveActiveForm } from "../../../src/plan/text/active-form.ts"
import { anyCharacter } from "../../any-character.ts"

describe("spelling", () => {
  test.each([
    ["Run tests", "Running tests"],
    ["run tests", "running tests"],
    ["Write docs", "Writing docs"],
    ["Fix the bug", "Fixing the bug"],
    ["Set up CI", "Setting up CI"],
    ["Begin the migration", "Beginning the migration"],
    ["Commit", "Committing"],
    ["Submit the form", "Submitting the form"],
    ["Format the code", "Formatting the code"],
    ["Debug the parser", "Debugging the parser"],
    ["Quit the shell", "Quitting the shell"],
    ["Reset state", "Resetting state"],
    ["Bootstrap the app", "Bootstrapping the app"],
    ["Refactor the loader", "Refactoring the loader"],
    ["Visit every node", "Visiting every node"],
    ["Edit config", "Editing config"],
    ["Open a pull request", "Opening a pull request"],
    ["Cancel the job", "Cancelling the job"],
    ["Label the issues", "Labelling the issues"],
    ["Draw the box", "Drawing the box"],
    ["Deploy to staging", "Deploying to staging"],
    ["Tie the ends", "Tying the ends"],
    ["See what breaks", "Seeing what breaks"],
    ["Be careful", "Being careful"],
    ["Agree on names", "Agreeing on names"],
    ["Dye the wool", "Dyeing the wool"],
    ["Panic on overflow", "Panicking on overflow"],
    ["Sync branches", "Syncing branches"],
    ["Verify the build", "Verifying the build"],
  ])("W2 %s becomes %s", (content, expected) => {
    expect(deriveActiveForm(content)).toBe(expected)
  })
})

describe("compounds and following words", () => {
  test.each([
    ["Re-run the suite", "Re-running the suite"],
    ["Rerun the suite", "Rerunning the suite"],
    ["Prefetch routes", "Prefetching routes"],
    ["Double-check types", "Double-checking types"],
    ["Unit-test the reducer", "Unit-testing the reducer"],
    ["Set-up the database", "Setting-up the database"],
    ["Setup the database", "Setting up the database"],
    ["Fix and test login", "Fixing and testing login"],
    ["Review, test and merge it", "Reviewing, testing and merging it"],
    ["Add or update snapshots", "Adding or updating snapshots"],
    ["Run tests and fix any failures", "Running tests and fixing any failures"],
    ["Update docs and verify links", "Updating docs and verifying links"],
    ["Update code and tests", "Updating code and tests"],
    ["Check read and write access", "Checking read and write access"],
    ["Ask the user to stop and restart the server", "Asking the user to stop and restart the server"],
    ["Please run the tests", "Running the tests"],
    ["please fix it", "fixing it"],
    ["Manually test the flow", "Manually testing the flow"],
    ["First, run the tests", "First, running the tests"],
    ["Go through the logs", "Going through the logs"],
    ["Run `npm test`  \tnow ", "Running `npm test`  \tnow "],
  ])("W2 %s becomes %s", (content, expected) => {
    expect(deriveActiveForm(content)).toBe(expected)
  })
})

describe("text that is not an English imperative", () => {
  test.each([
    "Running tests",
    "Fixed the bug",
    "Tests for the parser",
    "Test suite is red",
    "Build fails on Windows",
    "Review of the design",
    "Fix for the crash",
    "Release notes",
    "Pull request",
    "Go module cache",
    "Code coverage",
    "Pre-commit hook",
    "API docs",
    "GET /users returns 404",
    "README",
    "Don't break the build",
    "Fix(auth): expired tokens",
    "1. Run tests",
    "- Run tests",
    "`npm test`",
    '"Run" button',
    "npm test",
    "src/index.ts",
    "Teste die Anwendung",
    "Test der Anwendung",
    "Plan für Montag",
    "运行测试",
    "テストを実行する",
    "Запустить тесты",
    "Test 用例",
    "",
    "   ",
  ])("W2 %j is used as it is", (content) => {
    expect(deriveActiveForm(content)).toBe(content)
  })

  test("W2 any text after the verb is kept byte for byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (rest) => {
        const text = `Run the ${rest}`
        const derived = deriveActiveForm(text)
        // Only a later verb may change, and that needs an "and".
        if (!rest.includes(" and ")) expect(derived).toBe(`Running the ${rest}`)
      }),
    )
  })

  test("W2 hostile text neither throws nor recurses without bound", () => {
    for (const part of ["Then ", "please ", "Run and ", "re", "a-", "run, ", "Run the x and "])
      expect(typeof deriveActiveForm(part.repeat(100_000))).toBe("string")
  })
})

describe("the active form of a todo", () => {
  test("W2 a given active form wins", () => {
    expect(activeFormOf({ content: "Run tests", activeForm: "Testing" })).toBe("Testing")
  })

  test.each([{ content: "Run tests" }, { content: "Run tests", activeForm: " " }])(
    "W2 an absent or blank one is derived",
    (todo) => {
      expect(activeFormOf(todo)).toBe("Running tests")
    },
  )
})
