/** Folders for tests on real files, removed when the test file is through. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folders: string[] = []

export const temporaryFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "headway-test-")))
  folders.push(folder)
  return folder
}

/** Called after each test file (`test/setup.ts`). */
export const removeTemporaryFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** Every file below a folder with what it holds, to see that nothing was touched. */
export const contentsUnder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name))
      .map((path) => [path, readFileSync(path, "latin1")]),
  )
