/** Builds the page that `headway serve` shows: a few small files without anything from elsewhere. */
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
}
