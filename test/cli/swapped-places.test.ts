/** Files and folders that another user swaps while a command writes: what the person did not name stays as it is. */
import fs, { chmodSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { place, replaceAll, replacementOf } from "../../src/bridges/config/replace-config.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"

const { openSync, writeFileSync: writeFile } = fs

afterEach(() => {
  Object.assign(fs, { openSync, writeFileSync: writeFile })
  syncBuiltinESMExports()
})

/** Right after the content of a temporary file was written, its name leads to another file. */
const swapTemporaryFiles = (folder: string, target: string): void => {
  fs.writeFileSync = (file, ...rest) => {
    writeFile(file, ...rest)
    const name = typeof file === "number" ? fs.readdirSync(folder).find((one) => one.endsWith(".tmp")) : undefined
    if (name === undefined) return
    renameSync(join(folder, name), join(folder, "taken"))
    symlinkSync(target, join(folder, name))
  }
  syncBuiltinESMExports()
}

/** Right before something is opened for the n-th time in a folder, or the folder itself, a link is put in the folder's place. */
const swapFolder = (folder: string, target: string, time: number): void => {
  let count = 0
  fs.openSync = (path, ...rest) => {
    const isMeant = String(path).startsWith(folder) || /^\/proc\/self\/fd\/\d+\//.test(String(path))
    if (isMeant) count += 1
    if (isMeant && count === time) {
      renameSync(folder, `${folder}-moved`)
      symlinkSync(target, folder)
    }
    return openSync(path, ...rest)
  }
  syncBuiltinESMExports()
}

const withPlan = async () => {
  const { home, run } = atHome()
  await run(["todo", "add", "Write", "--new", "--session", "s"])
  const shared = join(home, "shared")
  const own = join(home, "own")
  for (const folder of [shared, own]) mkdirSync(folder)
  chmodSync(shared, 0o777)
  writeFileSync(join(own, "plan.md"), "own", { mode: 0o600 })
  return { shared, own, exported: (path: string) => run(["todo", "export", path, "--session", "s"]) }
}

test("export does not change the permissions of a file that its temporary file is replaced with a link to", async () => {
  const { shared, own, exported } = await withPlan()
  swapTemporaryFiles(shared, join(own, "plan.md"))
  await exported(join(shared, "plan.md"))
  expect(statSync(join(own, "plan.md")).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(own, "plan.md"), "utf8")).toBe("own")
})

test.skipIf(process.platform !== "linux").each([1, 2])(
  "export writes into the folder it has checked, also where a link replaces it (%s)",
  async (time) => {
    const { shared, own, exported } = await withPlan()
    const folder = join(shared, "plans")
    mkdirSync(folder)
    swapFolder(folder, own, time)
    const { code, err } = await exported(join(folder, "plan.md"))
    expect(readFileSync(join(own, "plan.md"), "utf8")).toBe("own")
    expect(fs.lstatSync(folder).isSymbolicLink()).toBe(true)
    if (time === 1) expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("was just replaced") })
    else expect(readFileSync(join(`${folder}-moved`, "plan.md"), "utf8")).toBe("- [ ] Write\n")
  },
)

test("set-up does not change the permissions of a file that its temporary file is replaced with a link to", () => {
  const folder = temporaryFolder()
  const [shared, secret] = [join(folder, "shared"), join(folder, "secret")]
  mkdirSync(shared)
  writeFileSync(secret, "secret", { mode: 0o600 })
  const from = { bytes: undefined, mode: 0o600 }
  const change = replacementOf(join(shared, "config.json"), from, { bytes: Buffer.from("{}"), mode: 0o644 })
  swapTemporaryFiles(shared, secret)
  replaceAll([change], place)
  expect(statSync(secret).mode & 0o777).toBe(0o600)
})
