/** How commands came out. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { failureLine } from "../../src/evidence/failure-line.ts"
import { type CommandRun, type Outcome, outcomeOf } from "../../src/evidence/index.ts"

const esc = "\u001b["

const table: [string, CommandRun, Outcome][] = [
  ["exit 0", { command: "npm test", exitCode: 0 }, "passed"],
  [
    "a summary that the command prints itself",
    { command: 'npm test >/dev/null 2>&1; echo "Tests  9 passed (9)"', exitCode: 0, output: "Tests  9 passed (9)" },
    "unknown",
  ],
  [
    "the same from printf, in place of the failure",
    {
      command: "npm test > log || printf 'x\\nAll tests passed\\n'",
      exitCode: 0,
      output: "x\nAll tests passed",
    },
    "unknown",
  ],
  [
    "an exit code that the command prints, and another behind it",
    { command: 'npm test >/dev/null; echo "code $?"; echo "code 0"', exitCode: 0, output: "code 1\ncode 0" },
    "failed",
  ],
  [
    "a configuration that a pipe hides",
    { command: "npx vitest run | tail", exitCode: 0, output: "failed to load config from /shop/vitest.config.ts" },
    "failed",
  ],
  [
    "a build of astro in a pipe",
    { command: "npm run build | tail -3", exitCode: 0, output: "10:23:01 [build] Complete!" },
    "passed",
  ],
  [
    "a profile that is broken beside tests that fail",
    { command: "npm test", exitCode: 1, output: "bash: line 29: env: No such file or directory\nTests  3 failed (8)" },
    "failed",
  ],
  [
    "a pattern without files",
    { command: "go test -run Test.*x", exitCode: 1, output: "(eval):1: no matches found: Test.*x" },
    "environment",
  ],
  ["a check that is to fail", { command: "! npm test", exitCode: 0, output: "" }, "unknown"],
  ["the same, and it passed", { command: "! npm test", exitCode: 1, output: "" }, "unknown"],
  ...[
    "Tests  1 failed | 11 passed (12)",
    "FAIL src/a.test.ts\nTests: 1 failed, 11 passed, 12 total",
    "Test Suites: 1 failed, 2 passed, 3 total\nTests: 12 passed, 12 total",
    "== 2 failed, 3 passed in 1.2s ==\nTests  12 passed (12)",
    "Tests:       3 passed, 3 total\nTests: 1 failed, 11 passed, 12 total",
    "[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
    "12 tests completed, 1 failed\nBUILD SUCCESSFUL in 3s",
    "FAILED (failures=1)\nRan 2 tests in 0.1s\nOK",
    "ok  \tshop/a\t0.1s\nFAIL\tshop/b\t0.2s\nFAIL",
    "test result: FAILED. 1 passed; 2 failed; 0 ignored\ntest result: ok. 3 passed; 0 failed",
    "ℹ pass 11\nℹ fail 1",
    "3 passing\n1 failing",
    "11 pass\n1 fail",
    "Chrome: Executed 3 of 3 (1 FAILED)\nAll checks passed",
    "npm error Lifecycle script `test` failed\nTests:       3 passed, 3 total",
  ].map((output): [string, CommandRun, Outcome] => [
    `exit 0 beside a counted failure: ${output.replaceAll("\n", " / ")}`,
    { command: "./run-tests.sh", exitCode: 0, output },
    "unknown",
  ]),
  ...[
    "Tests  12 passed (12)\nFAIL is printed by a test",
    "# pass 3\n# fail 0\nnot ok 3 - later # TODO",
    "FAIL is printed by a test\n3 passing",
    "Tests:       0 failed, 12 passed, 12 total",
  ].map((output): [string, CommandRun, Outcome] => [
    `exit 0 beside what only looks like one: ${output.replaceAll("\n", " / ")}`,
    { command: "npm test", exitCode: 0, output },
    "passed",
  ]),
  ...(
    [
      ["make build", "make: 'build' is up to date."],
      ["make", "make: Nothing to be done for 'all'."],
      ["make", "make[1]: Entering directory '/shop/a'\nmake[1]: Nothing to be done for 'all'."],
      ["ninja", "ninja: no work to do."],
      ["npm test --if-present", ""],
      ["npm run lint --if-present", ""],
      ["ruff check docs", "warning: No Python files found under the given path(s)\nAll checks passed!"],
      [
        "npx turbo run build",
        "• Running build in 0 packages\nNo tasks were executed as part of this run.\n Tasks:    0 successful, 0 total",
      ],
      ["pnpm -r lint", 'None of the selected packages has a "lint" script'],
      ["go build ./...", 'go: warning: "./..." matched no packages'],
      ["npm test", '> shop@1.0.0 test\n> echo "no tests yet"\n\nno tests yet'],
      ["yarn test", '$ echo "5 passed" && exit 0\n5 passed'],
      ["npm test", "> shop@1.0.0 test\n> ./scripts/test.sh\n\nSkipping tests: DATABASE_URL is not set"],
      ["pre-commit run", "black......(no files to check)Skipped\nmypy.......(no files to check)Skipped"],
      ["./gradlew test", "> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s\n4 actionable tasks: 4 up-to-date"],
      ["./gradlew build", "BUILD SUCCESSFUL in 1s\n4 actionable tasks: 4 up-to-date"],
      ["mix test", "There are no tests to run"],
      ["npx lerna run test", "lerna success run No packages found with the lifecycle script 'test'"],
      ["ruff check --exit-zero", ""],
      ["mvn -q test -Dmaven.test.failure.ignore=true", ""],
      ["make -i test", ""],
    ] as const
  ).map(([command, output]): [string, CommandRun, Outcome] => [
    `exit 0 of what did nothing: ${command}`,
    { command, exitCode: 0, output },
    "unknown",
  ]),
  ...(
    [
      ["make", "make[1]: Nothing to be done for 'all'.\ncc -c a.c"],
      ["make build && npm test", "make: 'build' is up to date.\nTests  3 passed (3)"],
      ["npm run lint --if-present", "> shop@1.0.0 lint\n> eslint ."],
      ["npm test", '> shop@1.0.0 test\n> echo "Begin" && node test.js\n\nBegin'],
      ["npm run lint && cargo test", '> shop@1.0.0 lint\n> echo "none"\nnone\ntest result: ok. 3 passed; 0 failed'],
      ["pre-commit run", "black......(no files to check)Skipped\nmypy.......Passed"],
      ["./gradlew test", "BUILD SUCCESSFUL in 1s\n4 actionable tasks: 1 executed, 3 up-to-date"],
      ["npx tsc --noEmit", ""],
    ] as const
  ).map(([command, output]): [string, CommandRun, Outcome] => [
    `exit 0 of what did something: ${command}`,
    { command, exitCode: 0, output },
    "passed",
  ]),
  ["exit 1", { command: "npm test", exitCode: 1 }, "failed"],
  ["the agent's error flag", { command: "npm test", isError: true, output: "x" }, "failed"],
  [
    "a target that make does not know",
    { command: "make test", exitCode: 2, output: "make: *** No rule to make target 'test'.  Stop." },
    "environment",
  ],
  [
    "no makefile",
    { command: "make test", exitCode: 2, output: "make: *** No targets specified and no makefile found.  Stop." },
    "environment",
  ],
  [
    "a file that a target needs",
    {
      command: "make test",
      exitCode: 2,
      output: "make: *** No rule to make target 'a.h', needed by 'a.o'.  Stop.",
    },
    "failed",
  ],
  [
    "a pipe that shows a file that passed, and no summary",
    { command: "timeout 60 npm test 2>&1 | tail -5", exitCode: 0, output: "PASS src/a.test.ts" },
    "unknown",
  ],
  [
    "a filter that shows what passed and what failed",
    { command: 'npm test 2>&1 | grep -E "PASS|FAIL"', exitCode: 0, output: "PASS src/a.test.ts" },
    "passed",
  ],
  ["a pipe without a summary", { command: "npm test | tail -5", exitCode: 0, output: "done" }, "unknown"],
  [
    "a pipe that hides a failure",
    {
      command: "npx vitest run | tail -5",
      exitCode: 0,
      output: " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 9 passed (10)".replace(/^ /, ""),
    },
    "failed",
  ],
  [
    "a pipe that shows a pass",
    {
      command: "npx vitest run 2>&1 | tail -5",
      exitCode: 0,
      output: "Test Files  3 passed (3)\n     Tests  9 passed (9)",
    },
    "passed",
  ],
  [
    "output in colour",
    {
      command: "npx vitest run | tail",
      isError: false,
      output: `${esc}2m Test Files ${esc}22m ${esc}1m${esc}31m1 failed${esc}39m${esc}22m${esc}90m (1)${esc}39m`,
    },
    "failed",
  ],
  [
    "a quotation that the shell could not read",
    { command: 'rg -n "a`b src', exitCode: 1, output: 'zsh:1: unmatched "' },
    "failed",
  ],
  ["a search that finds nothing", { command: "rg -n never src", exitCode: 1, output: "" }, "unknown"],
  [
    "a formatter that is not there, behind a pipe",
    { command: "pnpm exec biome check --write src | tail", exitCode: 0, output: 'Command "biome" not found' },
    "environment",
  ],
  [
    "a call that was never made",
    {
      command: "npm test | head",
      isError: true,
      output: "The model is unavailable, so auto mode cannot determine the safety of Bash right now.",
    },
    "environment",
  ],
  ["0 failed", { command: "pytest -q | tail -3", exitCode: 0, output: "12 passed, 0 failed in 1.2s" }, "passed"],
  ["failed: 0", { command: "npm test | tail", exitCode: 0, output: "passed: 12\nfailed: 0" }, "passed"],
  ["failed: 2", { command: "npm test | tail", exitCode: 0, output: "passed: 12\nfailed: 2" }, "failed"],
  [
    "pytest with failures",
    { command: "pytest | tail -1", exitCode: 0, output: "===== 2 failed, 10 passed in 3.4s =====" },
    "failed",
  ],
  ["pytest with errors", { command: "pytest | tail -1", exitCode: 0, output: "===== 1 error in 0.4s =====" }, "failed"],
  [
    "go test",
    {
      command: "go test ./... | tail -20",
      exitCode: 0,
      output: "ok  \tgithub.com/a/b\t0.1s\n?   \tgithub.com/a/c\t[no test files]",
    },
    "passed",
  ],
  [
    "go test that failed",
    {
      command: "go test ./... 2>&1 | tail",
      exitCode: 0,
      output: "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tgithub.com/a/b\t0.1s",
    },
    "failed",
  ],
  [
    "go test cut at its head",
    { command: "go test ./... | head -2", exitCode: 0, output: "ok  \ta\t0.1s\nok  \tb\t0.1s" },
    "unknown",
  ],
  [
    "go test of which only passes are kept",
    { command: "go test ./... | grep ok", exitCode: 0, output: "ok  \ta\t0.1s" },
    "unknown",
  ],
  [
    "cargo",
    { command: "cargo test | tail", exitCode: 0, output: "test result: ok. 5 passed; 0 failed; 0 ignored" },
    "passed",
  ],
  [
    "cargo that failed",
    { command: "cargo test | tail", exitCode: 0, output: "test result: FAILED. 4 passed; 1 failed; 0 ignored" },
    "failed",
  ],
  ["mocha", { command: "npx mocha | tail", exitCode: 0, output: "  5 passing (10ms)\n  1 failing" }, "failed"],
  ["node:test", { command: "node --test | tail", exitCode: 0, output: "# tests 3\n# pass 3\n# fail 0" }, "passed"],
  ["bun", { command: "bun test | tail", exitCode: 0, output: " 5 pass\n 0 fail" }, "passed"],
  [
    "a count of warnings",
    { command: "npm run lint | tail", exitCode: 0, output: "✖ 3 problems (0 errors, 3 warnings)" },
    "passed",
  ],
  [
    "a count of errors",
    { command: "npm run lint | tail", exitCode: 0, output: "✖ 3 problems (1 error, 2 warnings)" },
    "failed",
  ],
  [
    "a build that prints error in a count of warnings",
    { command: "npm run build", exitCode: 0, output: "Compiled with warnings: 2 (0 errors)\nerror-boundary.js 2 kB" },
    "passed",
  ],
  [
    "tsc through a pipe",
    { command: "npx tsc --noEmit | head", exitCode: 0, output: "src/a.ts(1,2): error TS2322: Type" },
    "failed",
  ],
  ["tsc through a pipe without a word", { command: "npx tsc --noEmit | head", exitCode: 0, output: "" }, "unknown"],
  ["two joined by &&", { command: "npm run build && npm test", exitCode: 0 }, "passed"],
  ["two joined by && that failed", { command: "npm run lint && npm test", exitCode: 1 }, "failed"],
  ["a check that was perhaps not reached", { command: "test -f package.json && npm test", exitCode: 1 }, "unknown"],
  [
    "the same, where all stops at the first error",
    { command: "set -e; git diff --exit-code; npm test", exitCode: 1, output: "-a\n+b" },
    "unknown",
  ],
  [
    "a check that was not reached, as the output shows",
    { command: "ls dist && npm test", exitCode: 2, output: "ls: cannot access 'dist': No such file or directory" },
    "unknown",
  ],
  [
    "a check that was reached and failed",
    { command: "git pull && npm test", exitCode: 1, output: "Already up to date.\nTests: 1 failed, 5 passed, 6 total" },
    "failed",
  ],
  ["a file that is missing", { command: "cat x && npm test", exitCode: 1, output: "cat: x: No such file" }, "unknown"],
  ["a check in a folder", { command: "cd web && mkdir -p out && export CI=1 && npm test", exitCode: 1 }, "failed"],
  [
    "a silent check before a commit of nothing",
    { command: "npx tsc --noEmit && git commit -am x", exitCode: 1, output: "nothing to commit, working tree clean" },
    "unknown",
  ],
  [
    "a check that failed before a commit",
    { command: "npx tsc --noEmit && git commit -am x", exitCode: 2, output: "src/a.ts(1,1): error TS2322: No." },
    "failed",
  ],
  [
    "a test before something else that failed",
    { command: "npm test && git push", exitCode: 1, output: "Tests: 5 passed, 5 total\nfatal: no upstream" },
    "passed",
  ],
  ["two joined by ;", { command: "npm test; git status", exitCode: 0 }, "unknown"],
  ["a check last behind ;", { command: "cd web; npm test", exitCode: 1 }, "failed"],
  ["a failure that is swallowed", { command: "npm test || true", exitCode: 0 }, "unknown"],
  ["pipefail", { command: "set -o pipefail; npm test | tail -5", exitCode: 1 }, "failed"],
  [
    "a code that is printed",
    { command: 'npm test > out.log 2>&1; echo "exit: $?"', exitCode: 0, output: "exit: 1" },
    "failed",
  ],
  [
    "a code that is printed behind a pipe",
    { command: 'npm test | tail -3; echo "exit: $?"', exitCode: 0, output: "exit: 0" },
    "unknown",
  ],
  [
    "a code of the pipe that is printed",
    { command: `npm test | tail -3; echo EXIT=\${PIPESTATUS[0]}`, exitCode: 0, output: "EXIT=1" },
    "failed",
  ],
  [
    "words for yes and no",
    { command: "npx tsc --noEmit && echo OK || echo BAD", exitCode: 0, output: "BAD" },
    "failed",
  ],
  ["a missing program", { command: "pytest", exitCode: 127, output: "bash: pytest: command not found" }, "environment"],
  [
    "a service that is not running",
    { command: "npm test", exitCode: 1, output: "Error: connect ECONNREFUSED 127.0.0.1:5432" },
    "environment",
  ],
  [
    "a database that is not running",
    {
      command: "pytest",
      exitCode: 4,
      output: 'psycopg2.OperationalError: connection to server at "localhost", port 5432 failed: Connection refused',
    },
    "environment",
  ],
  [
    "tests that failed because of a service that is not running, as the runner counts them",
    { command: "npm test", exitCode: 1, output: "connect ECONNREFUSED 127.0.0.1:5432\nTests  1 failed | 2 passed (3)" },
    "failed",
  ],
  ["a missing script", { command: "npm test", exitCode: 1, output: 'npm error Missing script: "test"' }, "environment"],
  [
    "a dead network",
    { command: "npx vitest run", exitCode: 1, output: "npm error code ENOTFOUND\nnpm error network request failed" },
    "environment",
  ],
  [
    "a test about the network",
    { command: "npx vitest run", exitCode: 1, output: "Error: getaddrinfo ENOTFOUND api\nTests  1 failed (1)" },
    "failed",
  ],
  [
    "a program a package manager does not find",
    {
      command: "pnpm biome check src | tail",
      exitCode: 0,
      output: ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "biome" not found',
    },
    "environment",
  ],
  [
    "a script that a package manager saw fail",
    {
      command: "pnpm --filter api test | tail -3",
      exitCode: 0,
      output: " ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  api@1.0.0 test: `jest`\nExit status 1",
    },
    "failed",
  ],
  [
    "a summary of no errors",
    {
      command: "npx markdownlint-cli2 README.md | tail -2",
      exitCode: 0,
      output: "Linting: 1 file(s)\nSummary: 0 error(s)",
    },
    "passed",
  ],
  ["a refusal", { command: "npm test", isRefused: true }, "refused"],
  ["a time-out", { command: "npm test", isTimedOut: true }, "timed-out"],
  ["a run in the background", { command: "npm test", isRunning: true }, "running"],
  ["nothing known", { command: "npm test" }, "unknown"],
  ["another command", { command: "ls nowhere", exitCode: 2 }, "failed"],
  ["another command whose failure is swallowed", { command: "npm view x || true", exitCode: 0 }, "unknown"],
  ["a search that finds nothing", { command: "grep x a", exitCode: 1 }, "unknown"],
  ["another command through a pipe", { command: "git log | head", exitCode: 0 }, "unknown"],
]

describe("the outcome of a command", () => {
  test.each(table)("%s", (_name, run, outcome) => {
    expect(outcomeOf(run)).toBe(outcome)
  })

  test("a pipe without a summary has no outcome, whatever else is printed", () => {
    const words = fc.array(fc.stringMatching(/^[a-e ]{0,30}$/)).map((lines) => lines.join("\n"))
    fc.assert(
      fc.property(words, (output) => {
        expect(outcomeOf({ command: "npm test 2>&1 | tail -5", exitCode: 0, output })).toBe("unknown")
      }),
    )
  })

  test("colour changes no outcome", () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(9), (failed, passed) => {
        const coloured = `${esc}31m${failed} failed${esc}39m | ${esc}32m${passed} passed${esc}39m`
        const run = { command: "npx vitest run | tail -5", exitCode: 0, output: `      Tests  ${coloured} (12)`.trim() }
        expect(outcomeOf(run)).toBe(failed > 0 ? "failed" : "passed")
      }),
    )
  })
})

describe("the line with the failure", () => {
  test.each([
    [
      "error: Database connection failed\n(fail) routes > asks for a name [1.00ms]\n\n 1 fail",
      "(fail) routes > asks for a name [1.00ms]",
    ],
    ["error: no such table\n 3 pass\n 1 fail", "error: no such table"],
    ["E       assert 1 == 2\nFAILED test_a.py::test_add - assert 1 == 2", "FAILED test_a.py::test_add - assert 1 == 2"],
    ["not ok 1 - adds\n# fail 1\n# duration_ms 12", "not ok 1 - adds"],
  ])("in %j", (output, line) => {
    expect(failureLine(output)).toBe(line)
  })
})

test.each([
  ["pytest", "===== no tests ran in 0.01s ====="],
  ["pytest -k nothing", "collected 5 items / 5 deselected\n===== 5 deselected in 0.01s ====="],
  ["pytest", "===== 9 skipped in 0.10s ====="],
  ["npx vitest run --passWithNoTests", "No test files found, exiting with code 0"],
  ["npx vitest run -t zzz", "Test Files  1 skipped (1)\n     Tests  9 skipped (9)"],
  ["npx jest -t zzz", "Test Suites: 1 skipped, 0 of 1 total\nTests:       9 skipped, 9 total"],
  ["npm test -- --passWithNoTests", "No tests found, exiting with code 0"],
  ["npx mocha", "  0 passing (1ms)"],
  ["node --test", "# tests 0\n# pass 0\n# fail 0"],
  ["cargo test", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored"],
  ["go test ./...", "?   \texample.com/shop\t[no test files]"],
  ["go test -run XXX ./...", "ok  \texample.com/shop\t0.01s [no tests to run]"],
  ["bun test", " 0 pass\n 0 fail"],
  ["deno test", "ok | 0 passed | 0 failed (2ms)"],
  ["bundle exec rspec", "0 examples, 0 failures"],
  ["vendor/bin/phpunit", "No tests executed!"],
  ["dotnet test", "No test is available in shop.dll."],
  ["mvn test", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS"],
  ["gradle test", "> Task :test NO-SOURCE\nBUILD SUCCESSFUL in 1s"],
  ["mvn test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS"],
  ["npx playwright test --pass-with-no-tests", "Error: No tests found"],
  ["npx cypress run", "Can't run because no spec files were found."],
  ["swift test", "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 seconds"],
  ["cargo nextest run", "Summary [   0.000s] 0 tests run: 0 passed, 3 skipped"],
  ["bats test", "1..0"],
  ["python -m unittest", "sss\n-----\nRan 3 tests in 0.000s\n\nOK (skipped=3)"],
  ["rspec", "Finished in 0.01 seconds\n3 examples, 0 failures, 3 pending"],
  ["tox", "  py311: SKIP (0.01 seconds)\n  congratulations :) (0.05 seconds)"],
])("%s that has run no test proves nothing about the code", (command, output) => {
  expect(outcomeOf({ command, exitCode: 0, output })).toBe("unknown")
})

test.each([
  ["python -m unittest", "Ran 3 tests in 0.000s\n\nOK (skipped=2)"],
  ["python -m unittest a; python -m unittest b", "Ran 3 tests in 0.1s\n\nOK (skipped=3)\nRan 2 tests in 0.1s\n\nOK"],
  ["rspec", "13 examples, 0 failures, 3 pending"],
  ["tox", "  py310: SKIP (0.01 seconds)\n  py311: OK (0.50=setup[0.10]+cmd[0.40] seconds)\n  congratulations :)"],
])("%s that has left out some tests and run others passes", (command, output) => {
  expect(outcomeOf({ command, exitCode: 0, output })).toBe("passed")
})

test.each([
  [
    "cargo test",
    "test result: ok. 5 passed; 0 failed; 0 ignored\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed",
  ],
  ["go test ./...", "?   \texample.com/shop/api\t[no test files]\nok  \texample.com/shop\t0.2s"],
  ["pytest", "===== 3 passed, 2 skipped in 0.10s ====="],
  ["npm test", "Tests:       2 skipped, 7 passed, 9 total"],
  ["npm test", ""],
])("%s that has run some tests does", (command, output) => {
  expect(outcomeOf({ command, exitCode: 0, output })).toBe("passed")
})

test("a check after || may not have been run where the command succeeds", () => {
  expect(outcomeOf({ command: "true || npm test", exitCode: 0 })).toBe("unknown")
  expect(outcomeOf({ command: "test -d build || npm test", exitCode: 1 })).toBe("failed")
})
