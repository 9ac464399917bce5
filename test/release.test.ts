/** What a release is checked for before anything is published. */
import { describe, expect, test } from "vitest"
import { limits } from "../scripts/package-limits.ts"
import {
  checkChangelog,
  checkName,
  checkPack,
  checkProvenance,
  checkTree,
  checkVersion,
  versionAfter,
} from "../scripts/release-checks.ts"

const manifest = { name: "a-package", version: "0.1.0", license: "MIT", engines: { node: ">=20" } }

test("the next version is the next minor one, and must be later and untagged", () => {
  expect(versionAfter("0.1.7")).toBe("0.2.0")
  expect(checkVersion(manifest, "0.2.0", ["v0.1.0"])).toMatchObject({ isGood: true, says: "0.1.0 becomes 0.2.0" })
  expect(checkVersion(manifest, "0.2.0", ["v0.2.0"]).isGood).toBe(false)
  for (const version of ["0.1.0", "0.0.9", "next", "1"]) expect(checkVersion(manifest, version, []).isGood).toBe(false)
  expect(checkVersion({ ...manifest, version: "1.9.9" }, "2.0.0", []).isGood).toBe(true)
})

test("the changelog has unreleased entries, and no section of the new version", () => {
  const changelog = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One\n- Two\n\n## [0.1.0]\n\n- Old\n"
  expect(checkChangelog(changelog, "0.2.0")).toMatchObject({ isGood: true, says: expect.stringContaining("2 entries") })
  expect(checkChangelog(changelog, "0.1.0").isGood).toBe(false)
  expect(checkChangelog("# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\n- Old\n", "0.2.0")).toMatchObject({
    isGood: false,
    says: "[Unreleased] is empty",
  })
  expect(checkChangelog("# Changelog\n", "0.2.0").isGood).toBe(false)
})

test("a tree with changes is reported file by file", () => {
  expect(checkTree("").isGood).toBe(true)
  expect(checkTree(" M src/a.ts\n")).toMatchObject({ isGood: false, says: expect.stringContaining("src/a.ts") })
})

test("a package that is too large, or contains files that are not shipped, is refused", () => {
  const small = { filename: "a.tgz", size: 1, unpackedSize: 1, files: [{ path: "dist/bin/headway.js", size: 1 }] }
  expect(checkPack(small).isGood).toBe(true)
  expect(checkPack({ ...small, unpackedSize: limits.unpacked + 1 }).isGood).toBe(false)
  expect(checkPack({ ...small, files: [{ path: "src/secret.ts", size: 1 }] })).toMatchObject({
    isGood: false,
    says: expect.stringContaining("src/secret.ts"),
  })
})

describe("provenance", () => {
  test("names the missing fields, and makes none up", () => {
    const { isGood, says } = checkProvenance(manifest)
    expect(isGood).toBe(false)
    expect(says).toBe(
      "package.json lacks repository, homepage, bugs. The project has no public address yet: provenance needs one.",
    )
    const address = { repository: "r", homepage: "h", bugs: "b" }
    expect(checkProvenance({ ...manifest, ...address }).isGood).toBe(true)
    expect(checkProvenance({ ...manifest, ...address, private: true }).isGood).toBe(false)
  })

  test("is refused for a name of another project, and a name that was not checked is not taken as free", () => {
    const ours = { ...manifest, repository: { url: "ours" } }
    expect(checkName(ours, {}).isGood).toBe(true)
    expect(checkName(ours, { version: "3.0.0", repository: { url: "ours" } }).isGood).toBe(true)
    expect(checkName(ours, { version: "3.0.0", repository: { url: "theirs" } }).isGood).toBe(false)
    expect(checkName(manifest, { version: "3.0.0" }).isGood).toBe(false)
    expect(checkName(ours, undefined).isGood).toBeUndefined()
  })
})
