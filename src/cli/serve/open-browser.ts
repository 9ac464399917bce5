/** Opens the page in the person's browser. The token goes there in a file of theirs: other users see the words of a program. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { projectOf } from "../../board/project.ts"
import { findProgram, trustedEnv } from "../../bridges/programs/find-program.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Io } from "../io.ts"

/** By platform: the program and its words before the address. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
}

/** Throws if there is no program that opens a browser. The file is as safe as the token, which is next to it. */
export const openBrowser = ({ env, home: person, cwd }: Io, home: string, address: string): void => {
  const [program = "", ...words] = openers[process.platform] ?? ["xdg-open"]
  const search = { env, home: person, project: projectOf(cwd) }
  const file = findProgram(program, search)
  if (file === undefined)
    throw new HeadwayError(
      "no-browser",
      `There is no command "${program}" that opens a browser. Open the address yourself.`,
    )
  const path = join(home, "open.html")
  replaceFile(path, redirectTo(address), join(home, "tmp"))
  const child = spawn(file, [...words, pathToFileURL(path).href], {
    env: trustedEnv(search),
    stdio: "ignore",
    detached: true,
  })
  // Nothing depends on it: the address is printed.
  child.on("error", () => {})
  child.unref()
}

/** We build the address: all its characters with a meaning in HTML are escaped. */
const redirectTo = (address: string): string => {
  const escaped = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Headway</title>
<meta http-equiv="refresh" content="0; url=${escaped}">
<p><a href="${escaped}">Open Headway</a></p>
`
}
