/** What shell commands are for. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type CommandKind, commandKind } from "../../src/evidence/index.ts"
import { shellEdits } from "../../src/evidence/shell-edits.ts"
import { shellParts } from "../../src/evidence/shell-parts.ts"
import { anyCharacter } from "../any-character.ts"

const table: Record<CommandKind, string[]> = {
  test: [
    "npm test",
    "npm t",
    "npm run test:unit -- --run",
    "pnpm -r test",
    "pnpm --filter web test",
    "yarn workspace web test",
    "bun test src/a.test.ts",
    "npx vitest run",
    "pnpm exec playwright test",
    "CI=1 npx --yes jest --ci",
    "python -m pytest -q",
    "python3 -m unittest discover",
    "uv run pytest tests/test_a.py::test_b",
    "poetry run pytest",
    "tox -e py312",
    "go test ./... -race",
    "cd cli && go test ./...",
    "cargo test --workspace",
    "cargo +nightly nextest run",
    "./gradlew :app:testDebugUnitTest",
    "mvn -q verify",
    "make test",
    "make -C core test",
    "mise run test:ci",
    "just test",
    "deno test -A",
    "dotnet test",
    "bundle exec rspec spec/models",
    "php artisan test",
    "docker compose exec app npm test",
    "docker compose run --rm test",
    "npm test -w packages/web",
    "./dev.sh test",
    "timeout 120 npm test 2>&1 | tail -5",
    "bash -lc 'cd web && npm test'",
    "npm run build && npm test",
    "node --test",
    "npx vitest run list",
    "nice -n 5 go test ./...",
    "node_modules/.bin/vitest run",
    "./scripts/run-tests.sh",
    "if true; then npm test; fi",
    "(cd web && npm test) | tail -20",
    "npm run test:db",
    "bash <<'EOF'\nnpm test\nEOF",
    "rake",
  ],
  build: [
    "cargo test --no-run",
    "npm run build",
    "go build ./...",
    "cargo build --release",
    "make",
    "vite build",
    "./gradlew assembleDebug",
    "mvn package -DskipTests",
    "docker build .",
    "npx next build",
    "gcc -v -o a main.c",
    "hugo --minify",
  ],
  "type-check": [
    "npx tsc --noEmit",
    "tsc -p .",
    "mypy src",
    "pnpm typecheck",
    "npm run check-types",
    "cargo check",
    "pyright",
  ],
  lint: [
    "npx eslint .",
    "npx biome check .",
    "ruff check src",
    "golangci-lint run",
    "mise run lint",
    "npm run lint",
    "cargo clippy -- -D warnings",
    "prettier --check .",
    "gofmt -l .",
    "black --check .",
    "go vet ./...",
    "cargo fmt --check",
  ],
  format: [
    "yarn lint-staged",
    "npx prettier --write .",
    "gofmt -w main.go",
    "mise run fmt",
    "biome check --write .",
    "pnpm biome check --write src",
    "cargo fmt",
    "ruff format .",
  ],
  commit: ["git commit -m 'Run npm test'", "git add -A && git commit -m x", "git -C web commit --amend"],
  other: [
    "npm run setup:test-db",
    "npm run test:seed",
    "npm run check-updates",
    "./scripts/check_status.sh",
    "./start-test-server.sh",
    "npm run test-db",
    "npm run clean:build",
    "rake -T",
    "nox -l",
    "bats --count test",
    "tox --notest",
    "pytest --setup-only",
    "bazel test --nobuild //...",
    "phpunit --list-tests-xml=tests.xml",
    "gcc -v",
    "clang --version",
    "javac -version",
    "vite build --watch",
    "npx ng test --watch",
    "npx vue-tsc -w",
    "hugo new post.md",
    "mypy --install-types",
    "pytest --collect-only",
    "npm test --help",
    "npm run build -- --help",
    "npx eslint --print-config a.js",
    "make -q test",
    "npx jest --listTests",
    "make -n test",
    "./gradlew test --dry-run",
    "make -t test",
    "go test -list . ./...",
    "npx vitest list",
    "npx playwright test --list",
    "cargo test -- --list",
    "ctest -N",
    "tox -l",
    "npx mocha --dry-run",
    "bundle exec rspec --dry-run",
    "pytest --fixtures",
    "npx jest --showConfig",
    "npx jest --clearCache",
    "npx tsc --init",
    "ls -la",
    "cat package.json | grep test",
    "grep -rn 'npm test' docs",
    "echo npm test",
    "npm install",
    "npm run dev",
    "npx tsc --watch",
    "npm test -- -w",
    "npm run test -- --watch",
    "docker compose run --rm web",
    "vitest --watch",
    "git status",
    "npm --version",
    "cat <<'EOF' > notes.md\nnpm test\nEOF",
    "vim test.ts",
    "command -v eslint || true",
    "which pytest",
    "",
    "jest --help",
  ],
}

describe("the kind of a command", () => {
  const rows = Object.entries(table).flatMap(([kind, commands]) => commands.map((command) => [command, kind] as const))
  test.each(rows)("%j is for %s", (command, kind) => {
    expect(commandKind(command)).toBe(kind)
  })

  test("any text is a command of some kind, and is split in linear time", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(Object.keys(table)).toContain(commandKind(text))
        expect(shellParts(text).every(({ words }) => words.every((word) => typeof word === "string"))).toBe(true)
      }),
    )
  })

  test("unclosed quotes and brackets are read to the end", () => {
    for (const text of ["npm test 'a", 'echo "$(', "((((", "a <<EOF\nb", "`", "\\"])
      expect(() => commandKind(text)).not.toThrow()
  })
})

describe("edits by a shell", () => {
  test.each([
    ["sed -i 's/a/b/' src/a.ts", ["src/a.ts"]],
    ["sed -i.bak -e 's/a/b/' src/a.ts", ["src/a.ts"]],
    ["ruby -i -pe 's/a/b/' src/a.rb", ["src/a.rb"]],
    ["yq -i '.a = 1' ci.yml", ["ci.yml"]],
    ["git checkout HEAD~1 -- src/a.ts", ["src/a.ts"]],
    ["git checkout main", []],
    ["git restore src/a.ts", ["src/a.ts"]],
    ["git restore --staged src/a.ts", []],
    ["cat > src/a.ts <<'EOF'\nx > y\nEOF", ["src/a.ts"]],
    ["git apply fix.patch", ["fix.patch"]],
    ["git apply --3way /tmp/fix.patch", ["patch"]],
    ["echo x >> README.md", ["README.md"]],
    ["printf x | tee a.txt", ["a.txt"]],
    ["rm -rf old", ["old"]],
    ["git mv a.ts b.ts", ["a.ts", "b.ts"]],
    ["sed 's/a/b/' src/a.ts", []],
    ["npm test 2>&1 | tail -5", []],
    ["npm test > /tmp/out.txt 2>/dev/null", []],
    ["git apply --check fix.patch", []],
    ["ls", []],
  ])("%j changes %j", (command, files) => {
    expect(shellEdits(command).files).toEqual(files)
  })

  test.each([
    ["python3 - <<'EOF'\nopen('a','w')\nEOF", true],
    ["git checkout -- src", true],
    ["npx prettier --write .", true],
    ["npm test", false],
    ["git status", false],
  ])("%j may change files: %s", (command, mayEdit) => {
    expect(shellEdits(command).mayEdit).toBe(mayEdit)
  })
})
