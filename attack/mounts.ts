/** File systems with a property an attack needs, mounted where this machine allows it and always taken away again. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type Mount = { folder: string; what: string; unmount(): void }

const run = (file: string, ...words: string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(file, words, { encoding: "utf8", timeout: 20_000 })
  if (error || status !== 0) throw new Error(`${file}: ${error?.message ?? stderr.trim()}`)
  return stdout.trim()
}

const open = new Set<() => void>()
process.on("exit", () => {
  for (const unmount of open) unmount()
})

const mounted = (folder: string, what: string, device?: string): Mount => {
  const unmount = (): void => {
    open.delete(unmount)
    spawnSync("umount", [folder])
    if (device !== undefined) spawnSync("losetup", ["-d", device])
  }
  open.add(unmount)
  return { folder, what, unmount }
}

/** A disk of a few kilobytes. Returns why there is none, where it cannot be mounted. */
export const mountSmallDisk = (parent: string, kilobytes: number): Mount | string => {
  const folder = join(parent, "small-disk")
  mkdirSync(folder)
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", folder)
    return mounted(folder, `a disk of ${kilobytes} kB`)
  } catch (cause) {
    return (cause as Error).message
  }
}

type Recipe = { what: string; mount(image: string, folder: string): string | undefined }

/** Each returns the loop device it took, if it took one. */
const recipes: readonly Recipe[] = [
  {
    what: "vfat",
    mount: (image, folder) => {
      run("mkfs.vfat", image)
      run("mount", "-o", "loop,umask=077", image, folder)
      return undefined
    },
  },
  {
    what: "NTFS over FUSE, ignoring case",
    mount: (image, folder) => {
      run("mkfs.ntfs", "-F", "-Q", image)
      run("lowntfs-3g", "-o", "ignore_case,umask=077", image, folder)
      return undefined
    },
  },
  {
    what: "exFAT over FUSE",
    mount: (image, folder) => {
      run("mkfs.exfat", image)
      const device = run("losetup", "-f", "--show", image)
      try {
        run("mount.exfat-fuse", "-o", "umask=077", device, folder)
      } catch (cause) {
        spawnSync("losetup", ["-d", device])
        throw cause
      }
      return device
    },
  },
]

/** A disk that does not tell capitals from small letters. Returns why there is none, where none can be mounted. */
export const mountCaseInsensitive = (parent: string): Mount | string => {
  const refusals: string[] = []
  for (const { what, mount } of recipes) {
    const place = mkdtempSync(join(parent, "disk-"))
    const [image, folder] = [join(place, "image"), join(place, "mounted")]
    mkdirSync(folder)
    writeFileSync(image, "")
    truncateSync(image, 64 << 20)
    try {
      const made = mounted(folder, what, mount(image, folder))
      writeFileSync(join(folder, "Case"), "")
      if (existsSync(join(folder, "cASE"))) return made
      made.unmount()
      refusals.push(`${what}: it tells capitals from small letters`)
    } catch (cause) {
      refusals.push(`${what}: ${(cause as Error).message}`)
    }
  }
  return refusals.join("; ")
}
