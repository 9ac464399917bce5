/** What has to be true before a version is published, as functions of what the project says of itself. */
import { isShipped, limits, type Packed } from "./package-limits.ts"

/** `undefined` where it was not looked at, with the reason in its words. */
export type Check = { what: string; isGood: boolean | undefined; says: string }

export type Manifest = {
  name: string
  version: string
  license?: string
  engines?: { node?: string }
  repository?: unknown
  homepage?: unknown
  bugs?: unknown
  private?: boolean
}

const numbersOf = (version: string): number[] | undefined => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number)

/** The next minor version: what is released when no other one is named. */
export const versionAfter = (version: string): string => {
  const [major = 0, minor = 0] = numbersOf(version) ?? []
  return `${major}.${minor + 1}.0`
}

export const checkVersion = (manifest: Manifest, next: string, tags: readonly string[]): Check => {
  const [now, then] = [numbersOf(manifest.version), numbersOf(next)]
  const at = then?.findIndex((number, place) => number !== now?.[place]) ?? -1
  const isLater = now !== undefined && then !== undefined && at >= 0 && (then[at] ?? 0) > (now[at] ?? 0)
  const isTagged = tags.includes(`v${next}`)
  const says = isTagged
    ? `there is a tag v${next} already`
    : isLater
      ? `${manifest.version} becomes ${next}`
      : `${next} does not come after ${manifest.version}`
  return { what: "version", isGood: isLater && !isTagged, says }
}

export const checkChangelog = (changelog: string, next: string): Check => {
  const what = "changelog"
  if (changelog.includes(`\n## [${next}]`)) return { what, isGood: false, says: `has a section ${next} already` }
  const [, unreleased] = /\n## \[Unreleased\][^\n]*\n([\s\S]*?)(?=\n## \[|$)/.exec(`\n${changelog}`) ?? []
  if (unreleased === undefined) return { what, isGood: false, says: "has no section [Unreleased]" }
  const entries = unreleased.match(/^- /gm)?.length ?? 0
  const says = entries > 0 ? `[Unreleased] has ${entries} entries, to be headed [${next}]` : "[Unreleased] is empty"
  return { what, isGood: entries > 0, says }
}

export const checkTree = (status: string): Check => {
  const changed = status.split("\n").filter((line) => line !== "")
  return {
    what: "tree",
    isGood: changed.length === 0,
    says: changed.length === 0 ? "clean" : `not committed:\n${changed.join("\n")}`,
  }
}

export const checkPack = ({ size, unpackedSize, files }: Packed): Check => {
  const strange = files.map(({ path }) => path).filter((path) => !isShipped(path))
  const isSmall = unpackedSize <= limits.unpacked && size <= limits.packed && files.length <= limits.files
  const [of, most] = [{ unpacked: unpackedSize, packed: size, files: files.length }, limits].map(
    ({ unpacked, packed, files }) => `${megabytes(packed)} MB packed, ${megabytes(unpacked)} MB in ${files} files`,
  )
  const says = strange.length > 0 ? `holds what is not shipped: ${strange.join(", ")}` : `${of} (at most ${most})`
  return { what: "package", isGood: strange.length === 0 && isSmall, says }
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(2)

/** Where it came from has to be public for a registry to vouch for it. An address is never made up here. */
export const checkProvenance = (manifest: Manifest): Check => {
  const missing = (["repository", "homepage", "bugs"] as const).filter((field) => manifest[field] === undefined)
  const others = [
    manifest.license ? [] : ["license"],
    manifest.engines?.node ? [] : ["engines.node"],
    manifest.private ? ["private is true"] : [],
  ].flat()
  const wrong = [...missing, ...others]
  const says =
    wrong.length === 0
      ? "repository, homepage, bugs, license and engines are there"
      : `package.json lacks ${wrong.join(", ")}. ${missing.length > 0 ? "The project has no public address yet: provenance needs one." : ""}`
  return { what: "provenance", isGood: wrong.length === 0, says: says.trim() }
}

/** `found` is what the registry says of the name: nothing where it is free, undefined where it could not be asked. */
export const checkName = (
  { name, repository }: Manifest,
  found: { version?: string; repository?: unknown } | undefined,
): Check => {
  const what = "name"
  if (!found) return { what, isGood: undefined, says: "the registry could not be asked" }
  if (found.version === undefined) return { what, isGood: true, says: `${name} is free` }
  const isOurs = repository !== undefined && JSON.stringify(found.repository) === JSON.stringify(repository)
  const says = isOurs
    ? `${name} is ours, at ${found.version}`
    : `${name} is another project's package on the registry, at ${found.version}`
  return { what, isGood: isOurs, says }
}
