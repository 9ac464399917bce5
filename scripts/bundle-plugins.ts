/** What it takes to bundle packages for Node: parts that are never used, doubles, and packages that still say `require`. */
import { isBuiltin } from "node:module"
import { join } from "node:path"
import type { Plugin } from "esbuild"

/** Parts of packages that the command never uses and that cannot be seen to be unused: who imports them, and what stands in their place. */
const unused: readonly { importer: RegExp; path: RegExp; contents: string }[] = [
  // Ink loads the developer tools of React when it is told to, and would look for them when it is bundled.
  { importer: /\/ink\//, path: /\/devtools\.js$/, contents: "" },
  // Messages in all languages. English is imported by itself.
  { importer: /\/zod\//, path: /\/locales\/index\.js$/, contents: "export {}" },
  // Checks what a person filled in when the server asks them: ours never asks.
  {
    importer: /\/@modelcontextprotocol\/sdk\//,
    path: /\/ajv-provider\.js$/,
    contents: `export class AjvJsonSchemaValidator { getValidator() { throw new Error("This server asks for no input.") } }`,
  },
  // Asked only for a model that is a name; ours are objects.
  {
    importer: /\/ai\//,
    path: /^@ai-sdk\/gateway$/,
    contents: `export class GatewayError extends Error { static isInstance() { return false } }
      export class GatewayAuthenticationError extends GatewayError {}
      export const gateway = undefined, createGateway = undefined`,
  },
]

export const leftOut: Plugin = {
  name: "left-out",
  setup({ onResolve, onLoad }) {
    const namespace = "left-out"
    onResolve(
      { filter: /devtools\.js$|locales\/index\.js$|ajv-provider\.js$|^@ai-sdk\/gateway$/ },
      ({ path, importer }) => {
        const place = unused.findIndex(
          (one) => one.path.test(path) && one.importer.test(importer.replaceAll("\\", "/")),
        )
        return place < 0 ? undefined : { path: String(place), namespace, sideEffects: false }
      },
    )
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: unused[Number(path)]?.contents ?? "" }))
  },
}

/** Each provider asks for its own patch of the same helpers, which would be bundled four times. The newest does for all. */
export const onePackageEach: Plugin = {
  name: "one-package-each",
  setup({ onResolve, resolve }) {
    const resolveDir = join(process.cwd(), "node_modules/ai")
    onResolve({ filter: /^@ai-sdk\/provider-utils$/ }, ({ path, kind, pluginData }) =>
      pluginData === "found" ? undefined : resolve(path, { kind, resolveDir, pluginData: "found" }),
    )
  },
}

/** A module has no `require`; what Node itself offers can be asked for without one. */
export const builtinsWithoutRequire: Plugin = {
  name: "builtins-without-require",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?[a-z_/]+$/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "builtin" } : undefined,
    )
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

/**
 * Importing one of Node's own modules makes all its exports ready, also those that load much more (files load streams).
 * Asked for this way, only what is used is.
 */
export const builtinsOnDemand: Plugin = {
  name: "builtins-on-demand",
  setup({ onResolve, onLoad }) {
    const namespace = "builtin-names"
    onResolve({ filter: /^node:(?:fs|os|util)$/ }, ({ path, kind }) =>
      kind === "require-call" ? undefined : { path, namespace, sideEffects: false },
    )
    onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== "default" && name !== "module.exports")
      const exported = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})()`)
      const module = `const builtin = process.getBuiltinModule("${path}")\nexport default builtin`
      return { contents: [module, ...exported].join("\n") }
    })
  },
}
