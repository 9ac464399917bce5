/** Sessions in which a word is easily said too strongly: each is as agents and their tools really write it. */
import { describe, expect, test } from "vitest"
import { evidenceIn, type Step, wordOf } from "./claude-session.ts"

const failing = "Tests:       1 failed, 2 passed, 3 total"
const passing = "Tests:       3 passed, 3 total"
const edit: Step = { edit: "/shop/packages/web/src/login.ts" }
const red: Step = { run: "npm test", prints: failing, fails: true }
const green: Step = { run: "npm test", prints: passing }

/** A todo is begun, worked on by these steps, and ticked off. */
type Case = [name: string, content: string, steps: Step[], word: string]

describe("a test that is expected to fail", () => {
  test.each<Case>([
    ["called red", "RED: login redirects to the shop", [edit, red], "unchecked"],
    ["called a spec", "Pin the redirect down with a spec", [edit, red], "unchecked"],
    ["specified first", "Specify the redirect in a test first", [edit, red], "unchecked"],
    ["that covers a bug", "Cover the redirect bug with a regression test", [edit, red], "unchecked"],
    ["to find out", "Run the linter to identify style issues", [{ run: "npm run lint", fails: true }], "nothing-seen"],
    ["to see", "Run the tests to see what breaks", [red], "nothing-seen"],
  ])("%s", async (_name, content, steps, word) => {
    expect(await wordOf(content, steps)).toBe(word)
  })

  test("does not contradict while fixing what the tests found is still on the list", async () => {
    const { todos } = await evidenceIn([
      { todos: { "Run the test suite": "in_progress", "Fix any failing tests": "pending" } },
      red,
      { todos: { "Run the test suite": "completed", "Fix any failing tests": "in_progress" } },
    ])
    expect(todos[0]?.word).toBe("nothing-seen")
  })

  test("does not contradict while its errors belong to the next todo", async () => {
    const errors: Step = { run: "npx tsc --noEmit | head -5", prints: "src/pay.ts(1,1): error TS2322: no" }
    const { todos } = await evidenceIn([
      { todos: { "Fix the types of login": "in_progress" } },
      edit,
      errors,
      { todos: { "Fix the types of login": "completed", "Fix type errors in payment": "in_progress" } },
    ])
    expect(todos[0]?.word).toBe("unchecked")
  })

  test("contradicts when nothing on the list is left to fix", async () => {
    const { todos } = await evidenceIn([
      { todos: { "Fix type errors": "in_progress", "Run all tests": "pending" } },
      edit,
      { run: "npx tsc --noEmit" },
      { todos: { "Fix type errors": "completed", "Run all tests": "in_progress" } },
      red,
      { todos: { "Fix type errors": "completed", "Run all tests": "completed" } },
    ])
    expect(todos.map(({ word }) => word)).toEqual(["backed", "contradicted"])
  })
})

describe("a pass after a failure", () => {
  const wordAfter = (failed: string, passed: string): Promise<string | undefined> =>
    wordOf("Fix login", [edit, { run: failed, prints: failing, fails: true }, { run: passed, prints: passing }])

  test.each([
    ["npm run test:e2e", "npm run test:unit"],
    ["npm test", "npm run test:unit"],
    ["make test-integration", "make test-unit"],
    ["gradle test", "gradle :core:test"],
    ["npx vitest run", "npx vitest run login"],
    ["npx vitest run", "npx vitest --run login"],
    ["cargo test", "cargo test login"],
    ["cargo test", "cargo test -- --skip login"],
    ["pytest", "pytest -m fast"],
    ["pytest", "pytest --ignore=tests/login"],
    ["npx jest", "npx jest --onlyChanged"],
    ["pytest tests/unit_slow", "pytest tests/unit"],
    ["go test ./...", "go test ."],
    ["go test ./...", "go test"],
    ["go test ./shop/login", "go test ./shop"],
    ["cd api && npm test", "cd web && npm test"],
    ["npm --prefix api test", "npm --prefix web test"],
    ["pytest", "npm test"],
    ["npx playwright test", "npx vitest run"],
  ])("%s is not settled by %s", async (failed, passed) => {
    expect(await wordAfter(failed, passed)).toBe("unchecked")
  })

  test.each([
    ["npm run test:unit", "npm test"],
    ["npm test", "npm run test:ci"],
    ["npm test", "cd /shop && timeout 60 npm test -- --silent"],
    ["npx vitest run login", "npx vitest run --reporter verbose"],
    ["pytest -x", "python -m pytest -n 4"],
    ["python manage.py test shop", "python manage.py test"],
    ["npx eslint src/login.ts", "npx eslint src"],
    ["go test ./login", "go test ./login/..."],
    ["cd /shop/api && pytest", "cd /shop && pytest"],
    ["npm --prefix=packages/web test", "cd packages/web && npm test"],
    ["cargo test", "cargo +nightly nextest run"],
    ["mvn test", "mvn clean verify"],
    ["pytest", "make test"],
  ])("%s is settled by %s", async (failed, passed) => {
    expect(await wordAfter(failed, passed)).toBe("backed")
  })
})

describe("a pass that proves less than it seems", () => {
  test.each<Case>([
    ["fewer tests by name", "Fix login", [edit, red, { run: "npm test -- -t login", prints: passing }], "unchecked"],
    ["fewer tests by file", "Fix login", [edit, red, { run: "npx jest src/a.test.ts", prints: passing }], "unchecked"],
    [
      "fewer tests of maven",
      "Check that it works",
      [
        { run: "./mvnw clean test", prints: "[INFO] BUILD FAILURE", fails: true },
        { run: "./mvnw test -Dtest=LoginTest", prints: "[INFO] BUILD SUCCESS" },
      ],
      "nothing-seen",
    ],
    [
      "another file",
      "Fix login",
      [
        edit,
        { run: "pytest tests/test_a.py", prints: "1 failed in 0.1s", fails: true },
        { run: "pytest tests/test_b.py", prints: "2 passed in 0.1s" },
      ],
      "unchecked",
    ],
    [
      "another module",
      "Fix login",
      [
        edit,
        { run: "mvn test -pl login", prints: "[INFO] BUILD FAILURE", fails: true },
        { run: "mvn test -pl cart", prints: "[INFO] BUILD SUCCESS" },
      ],
      "unchecked",
    ],
    [
      "the folder of the file that failed",
      "Fix login",
      [
        edit,
        { run: "pytest tests/test_a.py::test_x", prints: "1 failed in 0.1s", fails: true },
        { run: "pytest -q tests/", prints: "2 passed in 0.1s" },
      ],
      "backed",
    ],
    [
      "all packages after one",
      "Fix login",
      [
        edit,
        { run: "go test ./login -run TestRedirect", prints: "FAIL", fails: true },
        { run: "go test ./...", prints: "ok  \tshop/login\t0.2s" },
      ],
      "backed",
    ],
    ["the same again, which is flaky", "Fix login", [edit, red, green], "backed"],
    [
      "the same with another reporter",
      "Fix login",
      [edit, red, { run: "npm test -- --reporter=dot", prints: passing }],
      "backed",
    ],
    [
      "before the work is thrown away",
      "Fix login",
      [edit, green, { run: "git checkout -- packages/web/src/login.ts" }],
      "unchecked",
    ],
    ["before a file is taken back", "Fix login", [edit, green, { run: "git checkout src/login.ts" }], "unchecked"],
    ["before a folder is taken back", "Fix login", [edit, green, { run: "git checkout HEAD src" }], "unchecked"],
    [
      "before files and index are taken back",
      "Fix login",
      [edit, green, { run: "git restore --staged --worktree ." }],
      "unchecked",
    ],
    ["before all is thrown away", "Fix login", [edit, green, { run: "git reset --hard" }], "unchecked"],
    ["before all is taken back", "Fix login", [edit, green, { run: "git -C /shop checkout ." }], "unchecked"],
    ["before new files go", "Fix login", [edit, green, { run: "git clean -fd" }], "unchecked"],
    ["before the work is put away", "Fix login", [edit, green, { run: "git stash" }], "unchecked"],
    [
      "without the work",
      "Fix login",
      [edit, red, { run: "git stash -u" }, green, { run: "git stash pop" }],
      "unchecked",
    ],
    [
      "without the work, in one command",
      "Fix login",
      [edit, { run: "git stash && npm test && git stash pop" }],
      "unchecked",
    ],
    ["before other work is brought in", "Fix login", [edit, green, { run: "git stash pop" }], "unchecked"],
    [
      "by a variable that leaves out some",
      "Fix login",
      [edit, red, { run: "SKIP_E2E=1 npm test", prints: passing }],
      "unchecked",
    ],
    [
      "by a variable that is exported first",
      "Fix login",
      [edit, red, { run: "export SKIP_E2E=1 && npm test", prints: passing }],
      "unchecked",
    ],
    [
      "by options in a variable",
      "Fix login",
      [
        edit,
        { run: "pytest", prints: "1 failed in 0.1s", fails: true },
        { run: "PYTEST_ADDOPTS='-q -k login' pytest", prints: "2 passed in 0.1s" },
      ],
      "unchecked",
    ],
    [
      "by an option for fewer tests",
      "Fix login",
      [
        edit,
        { run: "ctest", prints: "The following tests FAILED:", fails: true },
        { run: "ctest -LE slow", prints: "100% tests passed, 0 tests failed out of 3" },
      ],
      "unchecked",
    ],
    [
      "by a variable that picks some",
      "Fix login",
      [edit, { run: "make test", prints: "make: *** [test] Error 1", fails: true }, { run: "make test TESTS=a" }],
      "unchecked",
    ],
    ["|| true", "Fix login", [edit, { run: "npm test || true" }], "unchecked"],
    ["set +e", "Fix login", [edit, { run: "set +e\nnpm test\necho done", prints: "done" }], "unchecked"],
    ["; echo done", "Fix login", [edit, { run: "npm test; echo done", prints: "done" }], "unchecked"],
    [
      "no tests",
      "Fix login",
      [edit, { run: "npx jest --passWithNoTests", prints: "No tests found, exiting with code 0" }],
      "unchecked",
    ],
    [
      "nothing to make",
      "Fix login",
      [edit, { run: "make test", prints: "make: Nothing to be done for 'test'." }],
      "unchecked",
    ],
    [
      "only files without tests",
      "Fix login",
      [edit, { run: "go test ./...", prints: "?   \tshop\t[no test files]" }],
      "unchecked",
    ],
    [
      "what a filter left over",
      "Fix login",
      [edit, { run: "npm test | findstr PASS", prints: "PASS src/a.test.ts" }],
      "unchecked",
    ],
    [
      "what another filter left over",
      "Fix login",
      [edit, { run: "npm test | Select-String PASS", prints: "PASS src/a.test.ts" }],
      "unchecked",
    ],
    [
      "tests that passed while something was thrown",
      "Fix login",
      [edit, { run: "npx vitest run | tail -4", prints: "Tests  148 passed (148)\n     Errors  2 errors" }],
      "contradicted",
    ],
  ])("%s", async (_name, content, steps, word) => {
    expect(await wordOf(content, steps)).toBe(word)
  })
})

describe("a failure that is not the code's", () => {
  test.each<Case>([
    [
      "of another package",
      "Fix login",
      [edit, { run: "npm test -w packages/api", prints: failing, fails: true }],
      "unchecked",
    ],
    [
      "of another folder",
      "Fix login",
      [edit, { run: "cd packages/api && npm test", prints: failing, fails: true }],
      "unchecked",
    ],
    [
      "of a filtered package",
      "Fix login",
      [edit, { run: "pnpm --filter api test", prints: failing, fails: true }],
      "unchecked",
    ],
    ["time was up", "Fix login", [edit, { run: "timeout 60 npm test", fails: true, code: 124 }], "unchecked"],
    ["it was killed", "Fix login", [edit, { run: "npm test", fails: true, code: 137, prints: "Killed" }], "unchecked"],
    [
      "it asked a question",
      "Fix login",
      [edit, { run: "python run_tests.py", fails: true, prints: "EOFError: EOF when reading a line" }],
      "unchecked",
    ],
    [
      "no such module",
      "Fix login",
      [
        edit,
        {
          run: "mvn test -pl login",
          fails: true,
          prints: "[ERROR] Could not find the selected project in the reactor: login",
        },
      ],
      "unchecked",
    ],
    ["it was stopped", "Fix login", [edit, { run: "npm test", fails: true, code: 143 }], "unchecked"],
    [
      "no tests were found",
      "Fix login",
      [edit, { run: "pytest -k login", fails: true, code: 5, prints: "no tests ran in 0.01s" }],
      "unchecked",
    ],
    [
      "no test files were found",
      "Fix login",
      [edit, { run: "npx vitest run login", fails: true, prints: "No test files found, exiting with code 1" }],
      "unchecked",
    ],
    [
      "grep counted none",
      "Fix login",
      [edit, { run: "npm test 2>&1 | grep -c failed", fails: true, prints: "0" }],
      "unchecked",
    ],
    [
      "no such folder",
      "Fix login",
      [edit, { run: "cd web && npm test", fails: true, prints: "(eval):cd:1: no such file or directory: web" }],
      "unchecked",
    ],
    [
      "the port was taken",
      "Fix login",
      [
        edit,
        { run: "npm run test:e2e", fails: true, prints: "Error: listen EADDRINUSE: address already in use :::3000" },
      ],
      "unchecked",
    ],
    [
      "the call was cancelled",
      "Fix login",
      [
        edit,
        {
          run: "npm test",
          fails: true,
          never: "<tool_use_error>Cancelled: parallel tool call Bash(ls x) errored</tool_use_error>",
        },
      ],
      "unchecked",
    ],
    ["a sub-agent's", "Fix login", [edit, { delegates: "Test it", agent: "a1", does: [red] }], "unchecked"],
    [
      "no Docker",
      "Fix login",
      [
        edit,
        {
          run: "docker compose run --rm test",
          fails: true,
          prints: "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
        },
      ],
      "unchecked",
    ],
  ])("%s", async (_name, content, steps, word) => {
    expect(await wordOf(content, steps)).toBe(word)
  })
})

describe("a failure that counts all the same", () => {
  test.each<Case>([
    [
      "of the package that was edited",
      "Fix login",
      [edit, { run: "npm test -w packages/web", prints: failing, fails: true }],
      "contradicted",
    ],
    [
      "in the folder that was edited",
      "Fix login",
      [edit, { run: "cd packages/web && npm test", prints: failing, fails: true }],
      "contradicted",
    ],
    [
      "in a container",
      "Fix login",
      [edit, { run: "docker compose run --rm test", prints: failing, fails: true }],
      "contradicted",
    ],
    ["in time", "Fix login", [edit, { run: "timeout 60 npm test", prints: failing, fails: true }], "contradicted"],
    [
      "of the first test that fails",
      "Fix login",
      [
        edit,
        {
          run: "pytest -x -n 4 | tail -3",
          prints:
            "[gw1] FAILED tests/test_a.py::test_x\n!!!!!! stopping after 1 failures !!!!!!\n===== 1 failed, 3 passed in 2.10s =====",
        },
      ],
      "contradicted",
    ],
    [
      "of a script of the project",
      "Fix login",
      [edit, { run: "./dev.sh test", prints: failing, fails: true }],
      "contradicted",
    ],
    [
      "that expected failures stand beside",
      "Fix login",
      [edit, { run: "pytest", prints: "==== 1 failed, 2 passed, 1 xfailed in 0.1s ====", fails: true }],
      "contradicted",
    ],
  ])("%s", async (_name, content, steps, word) => {
    expect(await wordOf(content, steps)).toBe(word)
  })

  test.each<Case>([
    [
      "expected failures",
      "Fix login",
      [edit, { run: "pytest | tail -1", prints: "==== 3 passed, 1 xfailed in 0.1s ====" }],
      "backed",
    ],
    [
      "warnings of a compiler",
      "Fix login",
      [
        edit,
        {
          run: "cargo test 2>&1 | tail -5",
          prints:
            "warning: unused variable: `error`\nwarning: `shop` (lib) generated 3 warnings\ntest result: ok. 3 passed; 0 failed; 0 ignored",
        },
      ],
      "backed",
    ],
  ])("is not %s", async (_name, content, steps, word) => {
    expect(await wordOf(content, steps)).toBe(word)
  })
})

describe("a pass that still counts", () => {
  test.each<[name: string, steps: Step[]]>([
    [
      "after the work was put away and brought back",
      [edit, green, { run: "git stash" }, red, { run: "git stash pop" }],
    ],
    ["after a look at what is put away", [edit, green, { run: "git stash list" }]],
    ["where there was nothing to put away", [edit, { run: "git stash", prints: "No local changes to save" }, green]],
    [
      "where nothing could be put away",
      [edit, { run: "git stash", prints: "fatal: not a git repository", fails: true }, green],
    ],
    ["where the work of another repository was put away", [edit, { run: "git -C /tmp/other stash" }, green]],
    ["after work in a folder for trials was put away", [edit, { run: "cd /tmp/other && git stash" }, green]],
    ["after that of another repository was thrown away", [edit, green, { run: "git -C /tmp/other reset --hard" }]],
    [
      "after the work was put away and brought back in one command",
      [edit, { run: "git stash; npm test; git stash pop; npm test", prints: passing }],
    ],
    [
      "after the work was brought back on a branch",
      [edit, { run: "git stash" }, red, { run: "git stash branch login" }, green],
    ],
    ["on another branch", [edit, green, { run: "git checkout release/1.2.x" }]],
    ["whose report is written to a file", [edit, { run: "npm test > out.txt 2>&1; tail out.txt", prints: passing }]],
    ["whose report is shown and written", [edit, { run: "npm test 2>&1 | tee out.txt", prints: passing }]],
    ["after what was built is removed", [edit, green, { run: "rm -rf dist packages/web/coverage" }]],
    ["with a variable that leaves out the setup", [edit, red, { run: "SKIP_ENV_CHECK=1 npm test", prints: passing }]],
    ["with a variable that adds tests", [edit, red, { run: "RUN_SLOW_TESTS=1 npm test", prints: passing }]],
    ["on a new branch", [edit, green, { run: "git checkout -b login && git commit -am login" }]],
    ["after only the index was reset", [edit, green, { run: "git reset" }]],
    ["after what would go was listed", [edit, green, { run: "git clean -nfd" }]],
    ["with variables that say how", [edit, red, { run: "CI=1 NODE_ENV=test TEST_DB_URL=x npm test", prints: passing }]],
    ["with nothing left out", [edit, red, { run: "SKIP_E2E=0 npm test", prints: passing }]],
    ["of other work after it was put away", [edit, { run: "git stash" }, edit, green]],
  ])("%s", async (_name, steps) => {
    expect(await wordOf("Fix login", steps)).toBe("backed")
  })
})
