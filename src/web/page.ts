/**
 * Serves the page's own files with their types and caching. Reads each once, and sends text compressed, as the build
 * stored it.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { gunzipSync } from "node:zlib"

/** Returns the response for a file of the page; undefined if there is no such file. */
export type Page = (path: string, headers: Headers) => Promise<Response | undefined>

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
}

type File = { bytes: Buffer; isZipped: boolean; type: string; tag: string; cache: string }

/** `folder` is where the build puts the page. If it is missing, a page says how to build it. */
export const loadPage = (folder: string): Page => {
  const files = new Map(filesIn(folder).map((path) => [`/${unzippedName(path)}`, read(folder, path)]))
  if (!files.has("/index.html")) files.set("/index.html", fileOf("index.html", Buffer.from(notBuilt)))
  return async (path, headers) => {
    const file = files.get(isView(path) ? "/index.html" : path)
    return file && reply(file, headers)
  }
}

/** Whether a path is a view of the page. Other paths are not found, because programs probe for well-known ones. */
const isView = (path: string): boolean => /^\/(?:projects|search|devices|session\/[^/]+)?$/.test(path)

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && extname(unzippedName(one.name)) in types)
      .map((one) =>
        join(one.parentPath, one.name)
          .slice(folder.length + 1)
          .replaceAll("\\", "/"),
      )
  } catch {
    return []
  }
}

const unzippedName = (path: string): string => path.replace(/\.gz$/, "")

const read = (folder: string, path: string): File => fileOf(path, readFileSync(join(folder, path)))

const fileOf = (path: string, bytes: Buffer): File => ({
  bytes,
  isZipped: path.endsWith(".gz"),
  type: types[extname(unzippedName(path))] ?? "application/octet-stream",
  tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
  // The build names assets by a hash of their content.
  cache: path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
})

const reply = ({ bytes, isZipped, type, tag, cache }: File, headers: Headers): Response => {
  const about: Record<string, string> = {
    "content-type": type,
    etag: tag,
    "cache-control": cache,
    vary: "accept-encoding",
  }
  if (headers.get("if-none-match")?.includes(tag)) return new Response(null, { status: 304, headers: about })
  if (!isZipped) return new Response(new Uint8Array(bytes), { headers: about })
  if (/\bgzip\b/.test(headers.get("accept-encoding") ?? ""))
    return new Response(new Uint8Array(bytes), { headers: { ...about, "content-encoding": "gzip" } })
  return new Response(new Uint8Array(gunzipSync(bytes)), { headers: about })
}

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Headway</title>
<p>The page was not built. Run "npm run build" in Headway's folder, then start "headway serve" again.</p>
</html>
`
