/** Lets a person change a text in the editor of their choice. */
import { spawnSync } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { projectOf } from "../../board/project.ts"
import { shellOf, trustedEnv } from "../../bridges/find-program.ts"
import { foreignTextIn, readForeignText } from "../../home/foreign-file.ts"
import { makeScratchFolder } from "../../home/scratch-folder.ts"
import { messageOf } from "../../plan/headway-error.ts"
import { HeadwayError } from "../../plan/index.ts"
import type { Io } from "../io.ts"

/** Returns the saved text. If the editor fails, nothing changes, and the saved text is kept. */
export const editText = (text: string, { env, home, cwd, isTerminal }: Io): string => {
  const named = env.VISUAL || env.EDITOR
  if (!named && !(isTerminal.in && isTerminal.out))
    throw new HeadwayError(
      "no-terminal",
      "An editor needs a terminal. Without one, use export and import, or set EDITOR.",
    )
  const editor = named || "vi"
  // A name is looked up where no project can have put its own.
  const search = { env, home, project: projectOf(cwd) }
  const folder = makeScratchFolder("edit")
  const file = join(folder, "plan.md")
  let isKept = false
  const fail = (why: string): HeadwayError => {
    isKept = existsSync(file) && foreignTextIn(file) !== text
    return new HeadwayError("editor-failed", `${why}${isKept ? ` What was saved is kept in ${file}.` : ""}`)
  }
  try {
    writeFileSync(file, text, { mode: 0o600 })
    // The editor may have arguments ("code --wait"); the file is passed as one word whatever its name.
    const { status, error } =
      process.platform === "win32"
        ? spawnSync(`${editor} "${file}"`, { stdio: "inherit", env: trustedEnv(search), shell: true })
        : spawnSync(shellOf(search), ["-c", `${editor} "$1"`, "sh", file], {
            stdio: "inherit",
            env: trustedEnv(search),
          })
    if (error || status !== 0)
      throw fail(`The editor "${editor}" failed, so nothing was changed. Set EDITOR to another one.`)
    if (!existsSync(file)) throw fail("The file is gone, so nothing was changed.")
    try {
      return readForeignText(file)
    } catch (cause) {
      throw fail(`The edited file cannot be read: ${messageOf(cause)}. Nothing was changed.`)
    }
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
}

/** Saves a text where its author can find it. */
export const keepText = (text: string): string => {
  const file = join(makeScratchFolder("edit"), "plan.md")
  writeFileSync(file, text, { mode: 0o600 })
  return file
}
