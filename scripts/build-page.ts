/** Builds the page that `headway serve` shows: a few small files without anything from elsewhere. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import react from "@vitejs/plugin-react"
import { build } from "vite"

export const pageFolder = "dist/page"

export const buildPage = async (): Promise<void> => {
  await build({
    root: "src/web/page",
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
    build: {
      outDir: `../../../${pageFolder}`,
      emptyOutDir: true,
      target: "es2023",
      // Nothing may be written into the document itself: its policy allows files of the server only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  const names = readdirSync(pageFolder, { recursive: true, encoding: "utf8" })
  for (const path of names.filter((name) => /\.(?:js|css|html|svg|webmanifest)$/.test(name)))
    zip(join(pageFolder, path))
}

/** Browsers ask for compressed text, and a server on the same machine is asked without TLS, where they know gzip only. */
const zip = (path: string): void => {
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
  rmSync(path)
}
