/** Gemini CLI's `write_todos`: the whole list with all five statuses, at most one in progress. */
import { defaultRules, todoStatuses } from "../plan/index.ts"
import { numberedList } from "../views/index.ts"
import { choiceField, listField, textField } from "./_fields.ts"
import { wholeListDialect } from "./_whole-list.ts"
import { writeTodosPrompts } from "./prompts/gemini.ts"

const example = { todos: [{ description: "Run the tests", status: "in_progress" }] }

export const gemini = wholeListDialect({
  id: "gemini",
  title: "Gemini CLI write_todos",
  toolNames: ["write_todos"],
  words: { list: "todos", text: "description" },
  carries: { statuses: todoStatuses, fields: [], duplicates: true, oneActive: true },
  rules: { ...defaultRules, oneActive: "reject" },
  example,
  tools: [
    {
      name: "write_todos",
      summary: "Writes the todos of this session. Use it early and often, unasked.",
      prompts: writeTodosPrompts,
      input: (z) =>
        z.strictObject({
          todos: listField(
            z,
            "the whole list",
            z.strictObject({
              description: textField(z, "what to do, as a command", "A todo needs words in `description`."),
              status: choiceField(z, "at most one is in_progress", todoStatuses),
            }),
          ),
        }),
      example,
    },
  ],
  item: ({ content, status }) => ({ description: content, status }),
  goodNews: ({ after }) => `The list now reads:\n${numberedList(after)}`,
})
