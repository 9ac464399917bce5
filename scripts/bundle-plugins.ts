/** What it takes to bundle packages for Node: parts that are never used, doubles, and packages that still say `require`. */
import { readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { basename, dirname, join } from "node:path"
import type { Plugin } from "esbuild"
import { z } from "zod"

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
  // Makes code from a schema, when asked to. We let zod read each schema as it is.
  {
    importer: /\/zod\//,
    path: /\/compile\.js$/,
    contents: `const never = () => { throw new Error("Schemas are not compiled here.") }
      export const INVALID = Symbol.for("zod.compile.invalid"), compile = never, withParser = never, compileFn = never
      export class ZodCompileAsyncError extends Error {}
      export class ZodCompileUnsupportedError extends Error {}`,
  },
  // Schemas are made by us and not read from JSON.
  {
    importer: /\/zod\//,
    path: /\/from-json-schema\.js$/,
    contents: `export const fromJSONSchema = () => { throw new Error("No schema is read from JSON here.") }`,
  },
  // Schemas written with an earlier version of zod: there are none.
  {
    importer: /\/@modelcontextprotocol\/sdk\/|\/@ai-sdk\//,
    path: /^zod\/v3$/,
    contents: `export const ZodFirstPartyTypeKind = {}
      export const object = () => { throw new Error("A schema of zod 3 is not supported.") }`,
  },
]

export const leftOut: Plugin = {
  name: "left-out",
  setup({ onResolve, onLoad }) {
    const namespace = "left-out"
    onResolve(
      {
        filter:
          /devtools\.js$|locales\/index\.js$|ajv-provider\.js$|compile\.js$|from-json-schema\.js$|^@ai-sdk\/gateway$|^zod\/v3$/,
      },
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

/** What the packages of providers offer besides the one kind of model that we ask each of them for. */
const unusedOfProviders: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["anthropicTools"],
  google: [
    "googleTools",
    "GoogleGenerativeAIEmbeddingModel",
    "GoogleGenerativeAIImageModel",
    "GoogleGenerativeAIVideoModel",
    "GoogleInteractionsLanguageModel",
    "GoogleTranscriptionModel",
  ],
  openai: [
    "openaiTools",
    "OpenAIChatLanguageModel",
    "OpenAICompletionLanguageModel",
    "OpenAIEmbeddingModel",
    "OpenAIImageModel",
    "OpenAISpeechModel",
    "OpenAITranscriptionModel",
  ],
  "openai-compatible": [
    "OpenAICompatibleCompletionLanguageModel",
    "OpenAICompatibleEmbeddingModel",
    "OpenAICompatibleImageModel",
  ],
}

/** esbuild sees what is used of a namespace, but not what is used of the `z` that zod exports: all of zod would be kept. */
const withNamesOfZod = (contents: string): string =>
  contents.replaceAll(
    /^import \{ z(?: as (\w+))? \} from ("zod(?:\/v4)?")/gm,
    (_, name: string | undefined, from: string) => `import * as ${name ?? "z"} from ${from}`,
  )

/** Our own code too. Dialects get `z` from the two files that read their schemas: those pass on what the dialects use of it. */
export const lessOfZod: Plugin = {
  name: "less-of-zod",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const contents = await readFile(path, "utf8")
      if (!/^import \{ z \} from "zod"/m.test(contents)) return undefined
      if (!/[\\/]dialects[\\/](?:definition|strict)\.ts$/.test(path))
        return { contents: withNamesOfZod(contents), loader: "ts" }
      const words = usedByDialects().map((name) => `${name}: zod.${name}`)
      const own = `import * as zod from "zod"\nconst z = { ${words.join(", ")} }`
      return { contents: contents.replace('import { z } from "zod"', own), loader: "ts" }
    })
  },
}

const usedByDialects = (): string[] => {
  const texts = readdirSync("src/dialects", { recursive: true, encoding: "utf8" }).flatMap((path) =>
    path.endsWith(".ts") ? [readFileSync(join("src/dialects", path), "utf8")] : [],
  )
  const found = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:z|zod)\s*\.\s*([a-z]\w*)/g)].map(([, name = ""]) => name),
  )
  return [...new Set(found)].filter((name) => name in z).toSorted()
}

/** Functions that cannot be seen to be unused, and why they never run. */
const neverCalled: Readonly<Record<string, readonly string[]>> = {
  // The protocol between a server and a chat in a browser.
  ai: ["processUIMessageStream", "handleUIMessageStreamFinish"],
  // Schemas of zod 3: there are none.
  "provider-utils": ["zod3Schema"],
}

/** The same with functions that only say that they are not here, so that what only they use goes as well. */
const withoutFunctions = (contents: string, name: string, indent: string): string => {
  const definition = new RegExp(`^${indent}((?:async )?(?:function )?${name})\\([\\s\\S]*?^${indent}\\}$`, "gm")
  const without = contents.replaceAll(
    definition,
    `${indent}$1() { throw new Error("${name} is not part of Headway.") }`,
  )
  if (without === contents) throw new Error(`The AI SDK has no ${name} any more.`)
  return without
}

/**
 * Lets esbuild leave out what is not used of the AI SDK: without the named classes and tables, what only they use goes as well, and the
 * value of a constant is known to be only computed.
 */
export const lessOfAiSdk: Plugin = {
  name: "less-of-ai-sdk",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/](?:@ai-sdk[\\/][\w-]+|ai)[\\/]dist[\\/]index\.mjs$/ }, async ({ path }) => {
      const name = basename(dirname(dirname(path)))
      let contents = await readFile(path, "utf8")
      for (const unused of unusedOfProviders[name] ?? []) {
        const definition = new RegExp(`^var ${unused} = (?:class )?\\{[\\s\\S]*?^\\};$`, "m")
        if (!definition.test(contents)) throw new Error(`@ai-sdk/${name} has no ${unused} any more.`)
        contents = contents.replace(definition, `var ${unused};`)
      }
      for (const unused of neverCalled[name] ?? []) contents = withoutFunctions(contents, unused, "")
      // Answers are always read as they come, by doStream.
      if (name in unusedOfProviders) contents = withoutFunctions(contents, "doGenerate", "  ")
      contents = withNamesOfZod(contents)
      return { contents: contents.replaceAll(/^var \w+ = (?=[\w.]+\()/gm, "$&/* @__PURE__ */ ") }
    })
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
