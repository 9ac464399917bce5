/** What the published package may hold and weigh. Raise a limit only with a reason: a person downloads it before they see anything. */

/** Bytes of all files, bytes of the tarball, and the number of files. */
export const limits = { unpacked: 4_930_000, packed: 1_800_000, files: 400 }

/** The program, the library, the page, the guide, examples, and what set-up copies. */
const shipped = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/bin\/(?:headway\.js|headway-launcher|package\.json|packs\/[a-z]+\.js|agent\/screen\.mjs|packed\/unpacker\.mjs)$/,
  /^dist\/lib\/(?:[\w-]+\/)*[\w-]+\.(?:js|d\.ts)$/,
  /^dist\/page\/(?:assets\/)?[\w.-]+$/,
  /^docs\/(?!decisions|designs)(?:[\w-]+\/)*[\w-]+\.(?:md|svg|schema\.json)$/,
  /^examples\/\d\d-[\w-]+\.tsx?$/,
  /^plugins\/opencode\/[\w.-]+$/,
]

export const isShipped = (path: string): boolean => shipped.some((one) => one.test(path))

export type Packed = { filename: string; size: number; unpackedSize: number; files: { path: string; size: number }[] }
