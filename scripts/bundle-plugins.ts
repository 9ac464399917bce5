/** What it takes to bundle Ink for Node: parts that are never used, and packages that still say `require`. */
import { isBuiltin } from "node:module"
import type { Plugin } from "esbuild"

/** Ink loads the developer tools of React when it is told to, and would look for them when it is bundled. */
export const noDeveloperTools: Plugin = {
  name: "no-developer-tools",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "nothing" }))
    onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "export default undefined" }))
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
