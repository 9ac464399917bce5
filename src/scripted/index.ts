/**
 * The public door of this room: a model that plays a script, and a local service that plays it over the providers'
 * protocols.
 */

export { createDemoScript } from "./demo-script.ts"
export type { Asked, AskedMessage, AskedPart, OfferedTool } from "./exchange.ts"
export { createLoopback, type Loopback, type LoopbackOptions, type LoopbackRequest } from "./loopback.ts"
export {
  readScript,
  type Script,
  type ScriptCall,
  type Speech,
  type Thread,
  type Turn,
  type TurnError,
  type When,
} from "./script.ts"
export { createScriptModel, openScriptModel, type ScriptModel, type ScriptModelOptions } from "./script-model.ts"
