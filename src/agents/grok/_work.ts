/** Reads the outcome of Grok's tools from data, which one of its formats writes as JSON in a string. */
import { parseJson } from "../../plan/json.ts"
import { type Fields, fieldsOf, objectsOf, textOf } from "../../streams/line.ts"
import type { WorkResult } from "../../streams/work.ts"
import type { BlockWork } from "../blocks.ts"
import { commonResult, commonTools } from "../common-tools.ts"

export const grokWork: BlockWork = {
  tools: commonTools,
  resultOf: (block, _data, text) =>
    resultIn(fieldsOf(text.startsWith("{") ? parseJson(text) : undefined), text, block.is_error === true),
  backgroundOf: () => undefined,
  runRequestedBy: () => undefined,
  runResultIn: () => undefined,
  runEndIn: () => undefined,
}

/** The outcome in the update that ends a call. */
export const updateResult = ({ status, content, rawOutput }: Fields): WorkResult => {
  const texts = objectsOf(content).flatMap((part) => textOf(fieldsOf(part.content).text) ?? [])
  return resultIn(fieldsOf(rawOutput), texts.join("\n"), status === "failed")
}

const resultIn = ({ exit_code, output_for_prompt, timed_out }: Fields, text: string, isError: boolean): WorkResult => {
  const code = typeof exit_code === "number" ? exit_code : undefined
  const result = commonResult(textOf(output_for_prompt) ?? text, { code, isError })
  return timed_out === true ? { ...result, isTimedOut: true } : result
}
