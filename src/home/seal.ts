/** Seals journal lines written on this machine, so that lines that came with a repository are not taken for the person's. */
import { closeSync, existsSync, readSync } from "node:fs"
import { join } from "node:path"
import { HeadwayError } from "../plan/headway-error.ts"
import { openPlainFile } from "./plain-file.ts"
import { createFile } from "./write-file.ts"

/** Seals lines of one place, such as one plan of one project: a seal does not hold anywhere else. */
export type Seal = {
  /** The line with its seal in it. */
  seal(line: string): string
  /** Whether the line carries the seal that it would be given here. */
  holds(line: string): boolean
}

/** `home` keeps the key. It is made with the first seal. */
export const createSeal = (home: string): ((place: readonly string[]) => Seal) => {
  let key: Buffer | undefined
  return (place) => {
    const codeOf = (line: string): string => {
      key ??= readOrMakeKey(home)
      // Asked for only here: loading it would slow down every command in a project without a person's entries.
      const { createHmac } = process.getBuiltinModule("node:crypto")
      return createHmac("sha256", key)
        .update(`${JSON.stringify(place)}\n${line}`)
        .digest("hex")
    }
    return {
      seal: (line) => `${line.slice(0, -1)},"seal":"${codeOf(line)}"}`,
      holds(line) {
        const [end = "", given] = sealed.exec(line) ?? []
        return given !== undefined && codeOf(`${line.slice(0, -end.length)}}`) === given
      },
    }
  }
}

const sealed = /,"seal":"([0-9a-f]{64})"\}$/

const keyLength = 32

const readOrMakeKey = (home: string): Buffer => {
  const path = join(home, "seal.key")
  if (!existsSync(path))
    createFile(path, process.getBuiltinModule("node:crypto").randomBytes(keyLength), join(home, "tmp"))
  const file = openPlainFile(path)
  try {
    // One more than a key has: a longer file holds none, however long it is.
    const bytes = Buffer.alloc(keyLength + 1)
    if (readSync(file, bytes) === keyLength) return bytes.subarray(0, keyLength)
    throw new HeadwayError("seal-key", `${path} does not hold a key of ${keyLength} bytes. Remove it to get a new one.`)
  } finally {
    closeSync(file)
  }
}
