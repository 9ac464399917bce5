/** The devices paired with `headway serve`: one file each, with a digest of the secret instead of the secret. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { readdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { createFile } from "../writing/write-file.ts"

export type PairedDevice = {
  id: string
  name: string
  /** ISO times. `seen` is when it was last here, to the minute. */
  paired: string
  seen?: string
}

export type PairedDevices = {
  /** Most recently paired first. */
  list(): PairedDevice[]
  /** The device that has this secret. */
  find(id: string, secret: string): PairedDevice | undefined
  /** Returns the secret, which is not stored. */
  add(name: string): { device: PairedDevice; secret: string }
  /** False if there is no such device. */
  remove(id: string): boolean
  /** Records that the device was seen. */
  note(id: string): void
}

/** Read from disk each time, so that a device removed by another process loses access at once. */
export const openDevices = (home: string, now: () => Date): PairedDevices => {
  const folder = join(home, "devices")
  const pathOf = (id: string): string => join(folder, `${id}.json`)
  const noted = new Map<string, number>()

  const read = (id: string): (PairedDevice & { digest: string }) | undefined => {
    const value = isId(id) ? parseJson(foreignTextIn(pathOf(id), longestFile) ?? "") : undefined
    if (!isRecord(value)) return undefined
    const { name, paired, digest } = value
    if (typeof name !== "string" || typeof paired !== "string" || typeof digest !== "string") return undefined
    const seen = statSync(pathOf(id), { throwIfNoEntry: false })?.mtime.toISOString()
    return { id, name: nameFrom(name), paired, digest, ...(seen !== undefined && seen > paired ? { seen } : {}) }
  }

  return {
    list() {
      const devices = idsIn(folder).flatMap((id) => read(id) ?? [])
      return devices
        .map(({ digest: _, ...device }) => device)
        .toSorted((one, other) => (one.paired < other.paired ? 1 : -1))
    },
    find(id, secret) {
      const known = read(id)
      if (!known) return undefined
      const { digest, ...device } = known
      return timingSafeEqual(digestOf(secret), keptDigest(digest)) ? device : undefined
    },
    add(given) {
      const [id, secret] = [randomBytes(8).toString("hex"), randomBytes(32).toString("base64url")]
      const device = { id, name: nameFrom(given), paired: now().toISOString() }
      const digest = digestOf(secret).toString("hex")
      const content = { v: 1, name: device.name, paired: device.paired, digest }
      createFile(pathOf(id), `${JSON.stringify(content)}\n`, join(home, "tmp"))
      return { device, secret }
    },
    remove(id) {
      if (!read(id)) return false
      rmSync(pathOf(id), { force: true })
      return true
    },
    note(id) {
      const time = now()
      if (time.getTime() - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < aMinute) return
      noted.set(id, time.getTime())
      try {
        // Only if the file still exists, so that a removed device does not come back.
        if (isId(id)) utimesSync(pathOf(id), time, time)
      } catch {}
    },
  }
}

const aMinute = 60_000

/** In bytes. */
const longestFile = 4 << 10

/** In characters. */
const longestName = 60

const nameFrom = (text: string): string => sanitise(text.slice(0, longestName)) || "a device"

const isId = (id: string): boolean => /^[\da-f]{16}$/.test(id)

const idsIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []))
  } catch {
    return []
  }
}

const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest()

/** Always the same length, for a constant-time comparison. */
const keptDigest = (hex: string): Buffer => Buffer.concat([Buffer.from(hex, "hex"), Buffer.alloc(32)], 32)
