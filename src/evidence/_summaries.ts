/** Patterns of the summaries that test runners, compilers and linters print. */

/** Lines in which test runners count failures. The first matching group is the number; 0 means that all passed. */
export const testCounts: readonly RegExp[] = [
  // vitest, jest, playwright, pytest, ava: "Tests  1 failed | 12 passed (13)", "=== 2 failed, 3 passed in 1.2s ===".
  /^(?:Tests?|Test Files|Test Suites|Suites|Snapshots):?\s.*?(\d+) failed\b/,
  // An error outside of the tests fails a run of vitest, whatever the tests' results.
  /^Errors\s+(\d+) errors?$/,
  /^=*\s*(?:(\d+) failed)\b.*\b(?:passed|skipped|errors?|xfailed|warnings?|in [\d.]+)/,
  /^=*.*?\b(\d+) errors? in [\d.]+s/,
  /^(\d+) failed$/,
  /^(\d+) (?:tests?|specs?|suites?|scenarios?|files?) failed\b/,
  // mocha and bun.
  /^(\d+) failing\b/,
  /^(\d+) fail$/,
  // node:test and TAP.
  /^(?:#|ℹ) fail (\d+)$/,
  // cargo, deno.
  /^test result: \w+\. \d+ passed; (\d+) failed/,
  /^(?:ok|FAILED) \| \d+ passed.*?\| (\d+) failed/,
  // rspec, ExUnit, minitest, phpunit, JUnit, XCTest, ctest, dotnet.
  /\b\d+ (?:examples?|tests?|doctests?[^,]*), (\d+) failures?\b/,
  /^\d+ runs, \d+ assertions, (\d+) failures/,
  /^\d+ runs, \d+ assertions, \d+ failures, (\d+) errors/,
  /^Tests: \d+, Assertions: \d+.*?(?:Failures|Errors): (\d+)/,
  /^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+)/,
  /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: (\d+)/,
  /^Executed \d+ tests?, with (\d+) failures?/,
  /^\d+% tests passed, (\d+) tests? failed out of/,
  /^(?:Passed|Failed)!\s+-\s+Failed:\s+(\d+)/,
  /^failed:\s*(\d+)$/i,
  /\bfailed:\s*(\d+)\b.*\bpassed:|\bpassed:\s*\d+\b.*?\bfailed:\s*(\d+)\b/i,
  /\b\d+ passed[,;|]\s+(\d+) failed\b/i,
  /\b(\d+) failed[,;|]\s+\d+ passed\b/i,
  // unittest, gradle, karma, cypress, scalatest, prove, flutter, Swift Testing.
  /^FAILED \((?:\w+=\d+, )*?(?:failures|errors)=(\d+)/,
  /^\d+ tests? completed, (\d+) failed\b/,
  /\bExecuted \d+ of \d+ \((\d+) FAILED\)/,
  /^✖ +(\d+) of \d+ failed\b/,
  /^(?:\[\w+\] )?Tests: succeeded \d+, failed (\d+)/,
  /^(?:\[\w+\] )?(?:Failed|Passed): Total \d+, Failed (\d+)/,
  /^Failed (\d+)\/\d+ (?:test programs|subtests)/,
  /^[\d:]+ \+\d+(?: ~\d+)? -(\d+): Some tests failed/,
  /^(?:✘ )?Test run with \d+ tests?.* failed after .* with (\d+) issues?/,
]

/** Lines in which compilers, linters and builds count errors. */
export const toolCounts: readonly RegExp[] = [
  // "Found 3 errors (3 fixed, 0 remaining)": the remaining errors count.
  /\bFound \d+ errors? \(\d+ fixed, (\d+) remaining\)/,
  /^Found (\d+) (?:\w+ )?(?:errors?|issues?|problems?)(?!.*\bfixed, \d+ remaining)/,
  /✖ \d+ problems? \((\d+) errors?/,
  /^(\d+) errors?,? (?:and )?\d+ (?:warnings?|infos?)/,
  /\b(\d+) error\(s\)/i,
  /^(\d+) issues?[.:]/,
  /\bcompiled with (\d+) errors?/i,
  /^svelte-check found (\d+) errors?/,
  /^\[ERROR\]\s+Found (\d+) errors?/,
]

/** Lines with which a program that runs a check reports that the check failed. */
export const runnerFailures: readonly RegExp[] = [
  /ERR_PNPM_RECURSIVE_(?:EXEC|RUN)_FIRST_FAIL.*(?:Command failed|: `)/,
  /^npm (?:ERR!|error) (?:code ELIFECYCLE|Lifecycle script|command failed|Test failed)/i,
  /\bELIFECYCLE\b.*\b(?:failed|exit)|^error Command failed with exit code [1-9]/,
  /^error: script "[^"]*" exited with code [1-9]/,
  // Except for a missing target or makefile, in which case no check was run.
  /^(?:g?make)(?:\[\d+\])?: \*\*\* (?!No (?:rule to make target [^,]*\.|targets)\s).*(?:Error \d+|Stop)/,
  /^mise ERROR (?:task|\[)|^error: Recipe `.*` failed|^task: Failed to run task/,
]

/** Lines for a whole package or run that failed, which never occur for a passing test. */
export const wholeFailures: readonly RegExp[] = [
  /^FAIL\s+\S+\s+(?:[\d.]+s|\[(?:build|setup) failed\])$/,
  /^test result: FAILED/,
  /^\[INFO\] BUILD FAILURE|^BUILD FAILED in |^FAILURE: Build failed|\*\* (?:TEST|BUILD|ARCHIVE) FAILED \*\*/,
]

export const ownFailures: readonly RegExp[] = [
  /^FAIL(?:\s|:|$)/,
  /^--- FAIL:/,
  /^FAIL\s+\S+\.(?:[cm]?[jt]sx?|go|py)\b/,
  /^FAILED(?: \(|$| \S+::)/,
  /^not ok \d+/,
  /^test result: FAILED/,
  /^error(?:\[E\d+\])?: (?:could not compile|aborting due to|test failed|cannot find|mismatched types|unresolved)/,
  /^(?:\* )?BUILD FAIL(?:ED|URE)|^\[INFO\] BUILD FAILURE|^Build FAILED|\*\* (?:TEST|BUILD|ARCHIVE) FAILED \*\*/,
  /^FAILURES!$|^FAILURE: Build failed/,
  /^failed to load config from /,
  /^Failed to compile\b|^(?:error during build|Build failed (?:with|in)|✘ \[ERROR\])/i,
  /\bRan target .* failed\b|^NX\s+.*\bfailed\b|^Failed:\s+\S+#\S+/,
  /^Code style issues (?:found|were)/,
  /\[(?:build|setup) failed\]$/,
  /^# \S+\n?\S+\.go:\d+:\d+: |^\S+\.go:\d+:\d+: (?:undefined|cannot|syntax|missing|too many|not enough|declared and not used)/,
  /^(?:Interrupted: \d+ error|ERROR: .* during collection|!+ Interrupted)/,
]

export const failures: readonly RegExp[] = [...runnerFailures, ...ownFailures]

/** Failures that a passing test may print as well. They count only if no line reports success. */
export const likelyFailures: readonly RegExp[] = [
  /\berror TS\d{4,5}:/,
  /^(?:SyntaxError|IndentationError|ImportError|ModuleNotFoundError): /,
  /^ERROR: Coverage for .* does not meet|^panic: /,
  /^\d+:\d+\s+error\s{2,}\S/,
]

/** Success lines that would also count failures if there were any. */
export const passes: readonly RegExp[] = [
  /^(?:Tests?|Test Files|Test Suites):?\s(?!.*\b[1-9]\d* failed\b).*?\b\d+ passed\b/,
  /^=*\s*\d+ passed\b.*\bin [\d.]+/,
  /^\d+ passed \([\d.]+m?s\)/,
  /^test result: ok\./,
  /^ok \| \d+ passed/,
  /^OK(?: \(.*\))?$/,
  /^✔? ?(?:All )?\d+ tests? passed/i,
  /\bAll (?:specs|tests|checks) passed\b/i,
  /^All matched files use Prettier code style/,
  /^Success: no issues found/,
  /^Found 0 (?:errors|issues|problems|vulnerabilities)/,
  /^BUILD SUCCESS(?:FUL)?\b|^\[INFO\] BUILD SUCCESS|^Build succeeded|\*\* (?:TEST|BUILD|ARCHIVE) SUCCEEDED \*\*/,
  /^(?:✓|✔) (?:built in|Compiled successfully)|\bcompiled successfully\b|^Build complete!|^(?:ESM|CJS|DTS) ⚡️ Build success/i,
  /\bSuccessfully ran targets? /,
  /^Tasks:\s+(\d+) successful, \1 total/,
  /\[build\] Complete!$/,
  /^No (?:lint )?(?:errors|issues|problems) found|^no issues found/i,
  /^Checked \d+ files? in .*\. No fixes applied/,
]

/** Lines that count passed tests, while failures are on other lines. */
export const partialPasses: readonly RegExp[] = [
  /^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)/,
  /^PASS$/,
  /^Finished (?:`|dev|release|test)/,
  /^\d+ passing\b/,
  /^\d+ pass$/,
  /^(?:#|ℹ) pass [1-9]\d*$/,
]

/** Lines for test files that passed. A summary follows the last one; without it, the run was cut short. */
export const passedFiles: readonly RegExp[] = [/^PASS\s+\S/]

/** Lines of builds, linters and programs that run them, if there was nothing to do. */
export const nothingDone: readonly RegExp[] = [
  /^g?make(?:\[\d+\])?: (?:Nothing to be done for|\S+ is up to date)/,
  /^ninja: no work to do/,
  /^(?:go: )?warning: "[^"]*" matched no packages/,
  /^warning: No Python files found/,
  /^Tasks:\s+0 successful, 0 total/,
  /^No tasks were (?:executed|run)\b/i,
  /^None of the selected packages has an? "[^"]*" script/,
  /^(?:lerna \w+ (?:\w+ )?)?No (?:projects|packages|workspaces) (?:matched|found)\b/i,
  /^Checked 0 files\b/,
  /^No files (?:were processed|matched|to (?:check|lint))\b/i,
  // pre-commit and gradle.
  /\(no files to check\)\s*Skipped$/,
  /^\d+ actionable tasks?: \d+ up-to-date$/,
]

/** Lines that may surround these if nothing else was done. */
export const besideNothing: readonly RegExp[] = [
  /^g?make(?:\[\d+\])?: (?:Entering|Leaving) directory/,
  /^(?:>|\$|•|Scope:) /,
  /^(?:Tasks|Cached|Time):\s/,
  /^BUILD SUCCESSFUL in /,
  /^All checks passed!$|^Done in [\d.]+m?s|^WARNING\b.*No tasks/,
]

/** Lines of test runners that have run no test, and still succeed. */
export const nothingRun: readonly RegExp[] = [
  /^=*\s*no tests ran\b/,
  /^(?:\[\w+\] |Error: )?No tests?(?: files?| suites?)? (?:found|executed|ran|run|available|is available|to run|were (?:found|run|executed))\b/i,
  /^There are no tests to run\b/,
  /^Skipping (?:all )?tests\b/i,
  /^Tests:?\s+no tests\b/,
  /^Tests:?\s+(?!.*\b(?:passed|failed)\b)\d+ (?:skipped|todo|pending)\b/,
  /^=*\s*(?:\d+ (?:skipped|deselected|warnings?)(?:, )?)+ in [\d.]+s/,
  /^0 passing\b/,
  /^0 pass$/,
  /^(?:#|ℹ) tests 0$/,
  /^test result: ok\. 0 passed; 0 failed/,
  /^ok \| 0 passed/,
  /^0 (?:examples|tests|runs), 0 (?:failures|assertions)/,
  /^Ran 0 tests\b/,
  /^(?:\[\w+\] )?Tests run: 0,/,
  /^(?:\[\w+\] )?Tests are skipped\.$/,
  /^> Task :\S*test\S* NO-SOURCE$/i,
  /^\?\s+\S+\s+\[no test files\]$/,
  /\[no tests to run\]$/,
  /^Error: no test specified$/,
  /^Can't run because no spec files were found/,
  /^Executed 0 tests\b/,
  /\b0 tests run: 0 passed\b/,
  /^Files=0, Tests=0\b/,
  /^1\.\.0\b/,
  // tox, of one environment.
  /^[\w.-]+: SKIP \(/,
  ...nothingDone,
]

/** A quick test: every line that matches one of the next patterns also matches this one. Most lines do not. */
export const leftOutHint = /^OK \(skipped=|\d pending$/

/** Summaries of runs that skipped all tests but count them: unittest and rspec. */
export const allLeftOut: readonly RegExp[] = [
  /^Ran (\d+) tests? in [\d.]+s\nOK \(skipped=\1\)$/gm,
  /^(\d+) examples?, 0 failures, \1 pending$/gm,
]

/** Lines that show that a test was run. Every runner above prints one of them if it has run a test. */
export const somethingRun: readonly RegExp[] = [
  /\b[1-9]\d* (?:passed|passing|pass|failed|failing|fail|xfailed|xpassed)\b/,
  /^(?:#|ℹ) tests [1-9]/,
  /\b[1-9]\d* (?:examples?|tests?|runs|assertions|specs?)\b/,
  /\bTests run: [1-9]/,
  /^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)(?!.*\[no tests to run\])/,
  /^PASS\s+\S/,
  /^(?:ok|not ok) \d+\b/,
  // tox, of one environment.
  /^[\w.-]+: (?:OK|FAIL) /,
]

/** A quick test: every line that matches one of the next patterns contains one of these words. Most lines do not. */
export const environmentHint =
  /not found|not recognized|no module|script|enoent|manifest|subcommand|unknown command|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|resol|unreachable|refused|required module|^go: |docker|executable|browsers|ENOSPC|no space|tsc command|safety of|EADDRINUSE|EOFError|reactor|no rule to make|no targets specified|^<tool_use|^\(eval\)|sh: /i

/**
 * Lines that show that the program could not be run, or that something outside the project did not respond. Such a
 * failure is no evidence about the code.
 */
export const environments: readonly RegExp[] = [
  /(?:^|: )(?:\S+: )?command not found\b|: not found$|is not recognized as an internal or external command/,
  // The shell stopped before the program: the folder is missing, or no file matches a pattern.
  /^(?:\(eval\)|(?:\S*\/)?(?:ba|z|da|fi)?sh)(?::[^:]+)*: .*(?:no matches found|no such file or directory|not a directory|unmatched|parse error|syntax error|unexpected (?:EOF|token))/i,
  /\bNo module named '?(?:pytest|mypy|ruff|tox|nox|black|flake8|pylint|coverage)\b/,
  /^npm (?:ERR!|error) Missing script|\bMissing script: |Couldn't find a script named|ERR_PNPM_NO_SCRIPT|^error: Script not found/i,
  /^npm (?:ERR!|error) (?:enoent|code ENOENT)|ERR_PNPM_NO_IMPORTER_MANIFEST|\bCommand "[^"]+" not found/i,
  /^g?make(?:\[\d+\])?: \*\*\* No (?:rule to make target [^,]*\.|targets specified)\s/,
  /^error: unrecognized subcommand|^(?:error: )?unknown command\b/i,
  /\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH)\b|Could not resolve host|Temporary failure in name resolution|[Nn]etwork is unreachable/,
  // A database or a server that the check needs is not running.
  /\bECONNREFUSED\b|\b[Cc]onnection ?[Rr]efused/,
  /no required module provides|go: (?:cannot find main module|.*dial tcp)|^go: .*(?:i\/o timeout|no such host)/,
  /Cannot connect to the Docker daemon|docker: not found/,
  /Executable doesn't exist at .*|Please run the following command to download new browsers/,
  /\bENOSPC\b|No space left on device|\bEADDRINUSE\b/,
  // The program asked a question and got no answer.
  /^EOFError: EOF when reading a line/,
  /\bCould not find the selected project in the reactor\b/,
  // The client did not even make the call.
  /^<tool_use_error>/,
  /\bcannot determine the safety of \w+ right now\b/,
  /This is not the tsc command you are looking for|could not determine executable to run/,
]
