import { createScriptModel } from "../../src/agent/script-model.ts"
import { describeWay } from "../contracts/wire.ts"

describeWay("the scripted model", {
  open: async (script) => {
    const model = createScriptModel(script)
    return { model, requests: model.requests, close: async () => {} }
  },
})
