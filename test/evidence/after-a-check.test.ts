/** What comes after a check that passed, and whether the check still says something about the files. */
import { describe, expect, test } from "vitest"
import { sentencesOf } from "../../src/evidence/sentences.ts"
import { around, evidenceIn, type Step, wordOf } from "./claude-session.ts"

const passing = "Tests:       3 passed, 3 total"
const edit: Step = { edit: "/shop/src/a.ts" }
const green: Step = { run: "npm test", prints: passing }

const wordAfter = (...steps: Step[]): Promise<string | undefined> => wordOf("Fix login", [edit, green, ...steps])

describe("a command that may have changed files after the check", () => {
  test.each([
    // On files that another program finds.
    "grep -rl oldName src | xargs sed -i 's/oldName/newName/g'",
    "git ls-files '*.ts' | xargs -I{} perl -pi -e 's/a/b/' {}",
    "grep -rlZ a src | xargs -0 -n 1 sed -i '' 's/a/b/'",
    "find src -name '*.ts' -exec sed -i 's/a/b/' {} +",
    "find src -name '*.snap' -delete",
    "find . -name '*.ts' -exec rm {} \\;",
    "fd -e ts -x sed -i 's/a/b/'",
    "for f in src/*.ts; do sed -i 's/a/b/' \"$f\"; done",
    "grep -l a src/* | while read f; do perl -pi -e 's/a/b/' $f; done",
    // By a program that is written on the command line.
    "python3 - <<'EOF'\np='src/a.ts'\ns=open(p).read()\nopen(p,'w').write(s.replace('a','b'))\nEOF",
    "python3 -c \"from pathlib import Path; p=Path('src/a.ts'); p.write_text(p.read_text())\"",
    "uv run python - <<'EOF'\nimport json\njson.dump({}, open('a.json', mode='w'))\nEOF",
    "node -e \"const fs=require('fs');fs.writeFileSync('src/a.ts', 'x')\"",
    "node --input-type=module -e \"import {rmSync} from 'fs'; rmSync('src/a.ts')\"",
    'ruby -e \'File.write("a.rb", "x")\'',
    'php -r \'file_put_contents("a.php", "x");\'',
    "perl -e 'open(F, \">src/a.pl\"); print F 1'",
    "awk '{ print > \"src/a.ts\" }' b.txt",
    "gawk -i inplace '{ print }' src/a.ts",
    "python3 -c \"import subprocess; subprocess.run(['make', 'all'])\"",
    "cat fix.py | python3 -",
    "python3 <<< \"open('a.ts', 'w')\"",
    "bash <<'EOF'\nsed -i 's/a/b/' src/a.ts\nEOF",
    "bash -c 'echo x > src/a.ts'",
    "eval \"sed -i 's/a/b/' src/a.ts\"",
    "sudo -u me sed -i 's/a/b/' src/a.ts",
    // By a script, by its name or by what was just written into it.
    "python scripts/migrate_imports.py src",
    "node scripts/update-headers.mjs",
    "./scripts/rename-modules.sh",
    "bash fix_all.sh",
    "./fix_imports.py",
    "python3 /tmp/work.py",
    "cat > /tmp/try.py <<'EOF'\nopen('src/a.ts','w').write('x')\nEOF\npython3 /tmp/try.py",
    "npm run codegen",
    "make generate",
    "pnpm api:generate",
    // By programs that are there for it.
    "ed -s src/a.ts <<'EOF'\n1s/a/b/\nw\nq\nEOF",
    "vim -es -c '%s/a/b/g' -c wq src/a.ts",
    "rsync -a ../template/src/ src/",
    "install -m644 /home/me/x/a.ts src/a.ts",
    "ln -sf b.ts src/a.ts",
    "npx jscodeshift -t codemod.js src",
    "npx ast-grep run -p a -r b -U",
    "sd old new src/a.ts",
    "unzip -o new.zip -d src",
    "tar xzf new.tgz",
    "curl -fsSL https://example.com/a.ts -o src/a.ts",
    "wget https://example.com/a.ts",
    "Set-Content -Path src/a.ts -Value x",
    "npm install left-pad",
    "npm uninstall left-pad",
    "cargo add serde",
    "go mod tidy",
    "go generate ./...",
    "npx prisma migrate dev --name x",
    "python manage.py makemigrations",
    "git revert --no-edit HEAD",
    "git cherry-pick abc123",
    "git am < fix.patch",
    // Behind brackets that went somewhere else.
    "(cd /tmp/try && ls); sed -i 's/a/b/' src/a.ts",
    "cd /tmp/try && ls && cd - && sed -i 's/a/b/' src/a.ts",
    "cd /tmp && python3 -c \"open('/shop/src/a.ts','w').write('x')\"",
    // Behind the check in one command.
    "npm test && python3 -c \"open('src/a.ts','w').write('x')\"",
  ])("%s", async (run) => {
    expect(await wordAfter({ run })).toBe("unchecked")
  })

  test("is named, with its line", async () => {
    const { todos, list } = await evidenceIn(around("Fix login", [edit, green, { run: "npm run codegen" }]))
    const [todo] = todos
    expect(todo && sentencesOf(todo)).toEqual([
      "1 edit in /shop/src/a.ts, the last on line 3.",
      '"npm test" passed after the last edit (line 5).',
      '"npm run codegen" may have changed files (line 7), and no check was found after it.',
    ])
    expect(list.lastCheck).toBe("none")
  })

  test("leaves a todo unchecked that has no other edit", async () => {
    expect(await wordOf("Fix login", [green, { run: "npm run codegen" }])).toBe("unchecked")
  })

  test.each<[string, Step]>([
    ["refused", { run: "npm run codegen", refused: true }],
    ["checked at once", { run: "npm run codegen && npm test", prints: passing }],
    [
      "checked at once, and formatted",
      { run: "sed -i s/a/b/ a.ts && npm test && npx prettier --write .", prints: passing },
    ],
  ])("leaves it backed where it is %s", async (_name, step) => {
    expect(await wordAfter(step)).toBe("backed")
  })
})

describe("a command that changes nothing of the project after the check", () => {
  test.each([
    "git add -A && git commit -m 'Replace the login' && git push",
    "git status --short; git diff --stat; git log --oneline -3",
    "git fetch && git rebase origin/main",
    "git pull",
    "npx prettier --write .",
    "gofmt -w .",
    "npm run lint:fix",
    'python3 -c "print(1 + 1)"',
    "python3 -c \"import json; print(json.load(open('a.json'))['b'])\"",
    "python3 -c \"import sys; sys.stdout.write('x')\"",
    "python3 - <<'EOF'\nwith open('src/a.ts') as f:\n    print(f.read().replace('a', 'b'))\nEOF",
    "python3 -c \"open('/tmp/out.json', 'w').write('x')\"",
    "node -e \"console.log(require('./package.json').version)\"",
    "node -e \"process.stdout.write(require('fs').readFileSync('a.ts','utf8'))\"",
    "curl -s http://localhost:3000/a | python3 -m json.tool",
    "curl -s http://localhost:3000/a | node -e 'process.stdin.pipe(process.stdout)'",
    "curl -s -o /dev/null -w '%{http_code}' http://localhost:3000",
    "wget -qO- http://localhost:3000",
    "awk '{ print $1 }' a.txt | sort",
    "awk '$1 > 5 { print $2 }' a.txt",
    "find src -name '*.ts' | xargs grep -n login",
    "find src -name '*.ts' -exec wc -l {} +",
    "find . -name '*.pyc' -delete",
    "find . -name __pycache__ -exec rm -rf {} +",
    "sed -n 1,20p src/a.ts",
    "perl -ne 'print if /login/' src/a.ts",
    "tar tzf a.tgz; unzip -l a.zip",
    "rsync -a dist/ web@example.com:/srv/shop",
    "node dist/cli.js --help",
    "python app.py --dry-run",
    "./scripts/deploy.sh",
    "npm install",
    "npm ci",
    "npm i -g tsx",
    "npm run dev",
    "cat > /tmp/try.mjs <<'EOF'\nimport { a } from '/shop/src/a.ts'\nconsole.log(a)\nEOF\nnode /tmp/try.mjs",
    "node /tmp/check.mjs",
    "cd /tmp/try && npm install left-pad && echo x > a.ts",
    "cd /tmp && mkdir -p try && cd try && echo x > a.ts",
    "grep -rn 'npm install x' docs",
    "echo 'git revert HEAD'",
  ])("%s", async (run) => {
    expect(await wordAfter({ run })).toBe("backed")
  })
})

describe("a tool of a server after the check", () => {
  test.each<[string, object, string]>([
    ["mcp__filesystem__edit_file", { path: "/shop/src/a.ts", edits: [] }, "unchecked"],
    ["mcp__filesystem__move_file", { source: "/shop/src/a.ts", destination: "/shop/src/b.ts" }, "unchecked"],
    ["mcp__serena__replace_symbol_body", { relative_path: "src/a.ts", body: "x" }, "unchecked"],
    ["mcp__jetbrains__createNewFile", { pathInProject: "src/a.ts" }, "unchecked"],
    ["mcp__many__write_files", { files: [{ path: "src/a.ts", content: "x" }] }, "unchecked"],
    ["mcp__shell__execute", { command: "sed -i 's/a/b/' src/a.ts" }, "unchecked"],
    ["mcp__shell__execute", { command: "ls" }, "backed"],
    ["mcp__filesystem__read_file", { path: "/shop/src/a.ts" }, "backed"],
    ["mcp__filesystem__write_file", { path: "/tmp/notes.md" }, "backed"],
    ["mcp__linear__create_issue", { title: "Login fails. Fix it" }, "backed"],
    ["mcp__browser__take_screenshot", { filename: "a.png" }, "backed"],
  ])("%s with %j", async (uses, input, word) => {
    expect(await wordAfter({ uses, input })).toBe(word)
  })
})

describe("a sub-agent after the check", () => {
  test.each<[string, Step[], string]>([
    ["of which nothing is known", [edit, green, { delegates: "Polish it" }], "unchecked"],
    ["of which nothing is known, without an edit", [green, { delegates: "Polish it" }], "delegated"],
    ["of which nothing is known, and then a check", [edit, green, { delegates: "Polish it" }, green], "backed"],
    ["that only read", [edit, green, { delegates: "Review it", agent: "a1", does: [{ uses: "Read" }] }], "backed"],
    ["that edited", [edit, green, { delegates: "Polish it", agent: "a1", does: [edit] }], "unchecked"],
    ["that edited and checked", [edit, green, { delegates: "Polish it", agent: "a1", does: [edit, green] }], "backed"],
    [
      "that gave it to another",
      [edit, green, { delegates: "Polish it", agent: "a1", does: [{ uses: "Read" }, { delegates: "Do it" }] }],
      "unchecked",
    ],
  ])("%s", async (_name, steps, word) => {
    expect(await wordOf("Fix login", steps)).toBe(word)
  })
})

describe("a check in another place", () => {
  const red: Step = { run: "npm test", prints: "Tests:       1 failed, 2 passed, 3 total", fails: true }

  test.each<[string, Step[], string]>([
    ["another repository", [edit, { run: "cd ../other && npm test", prints: passing }], "unchecked"],
    ["a temporary folder", [edit, { run: "cd /tmp/x && npm test", prints: passing }], "unchecked"],
    ["another package", [edit, { run: "cd packages/x && npm test", prints: passing }], "unchecked"],
    ["another package, by an option", [edit, { run: "npm --prefix packages/x test", prints: passing }], "unchecked"],
    ["another package, by its name", [edit, { run: "pnpm --filter @shop/web test", prints: passing }], "unchecked"],
    [
      "a package after all have failed",
      [{ edit: "packages/x/a.ts" }, red, { run: "cd packages/x && npm test", prints: passing }],
      "unchecked",
    ],
    [
      "brackets, after all have failed",
      [{ edit: "packages/x/a.ts" }, red, { run: "(cd packages/x && npm test)", prints: passing }],
      "unchecked",
    ],
    [
      "the package that was edited",
      [{ edit: "packages/x/a.ts" }, { run: "cd packages/x && npm test", prints: passing }],
      "backed",
    ],
    [
      "the package that was edited, by its name",
      [{ edit: "packages/x/a.ts" }, { run: "npm test -w @shop/x", prints: passing }],
      "backed",
    ],
    [
      "another package than that of the last edit",
      [
        { edit: "packages/x/a.ts" },
        { run: "cd packages/x && npm test", prints: passing },
        { edit: "packages/y/b.ts" },
        { run: "cd packages/x && npm test", prints: passing },
      ],
      "unchecked",
    ],
    [
      "each package after its edit",
      [
        { edit: "packages/x/a.ts" },
        { run: "cd packages/x && npm test", prints: passing },
        { edit: "packages/y/b.ts" },
        { run: "cd packages/y && npm test", prints: passing },
      ],
      "backed",
    ],
    [
      "the package that was edited, with a note beside it",
      [{ edit: "packages/x/a.ts" }, { edit: "README.md" }, { run: "cd packages/x && npm test", prints: passing }],
      "backed",
    ],
    ["the whole project, by its path", [edit, red, { run: "cd /shop && npm test", prints: passing }], "backed"],
    [
      "the whole project, from a package",
      [edit, red, { run: "cd packages/x && cd ../.. && npm test", prints: passing }],
      "backed",
    ],
    ["a folder that a variable names", [edit, { run: "cd $REPO && npm test", prints: passing }], "backed"],
    [
      "all packages in turn",
      [{ edit: "b/a.ts" }, { run: "(cd a && npm test) && (cd b && npm test)", prints: passing }],
      "backed",
    ],
    [
      "the folder of files that were found",
      [{ run: "grep -rl a . | xargs sed -i s/a/b/" }, { run: "cd web && npm test", prints: passing }],
      "backed",
    ],
  ])("%s", async (_name, steps, word) => {
    expect(await wordOf("Fix login", steps)).toBe(word)
  })
})
