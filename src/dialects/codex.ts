/** Codex's `update_plan`: the whole list of steps in three statuses; its app server spells them in camel case. */
import { choiceField, listField } from "./_fields.ts"
import { wholeListDialect } from "./_whole-list.ts"
import { updatePlanPrompts } from "./prompts/codex.ts"

const statuses = ["pending", "in_progress", "completed"] as const

const example = { plan: [{ step: "Run the tests", status: "in_progress" }] }

export const codex = wholeListDialect({
  id: "codex",
  title: "Codex update_plan",
  toolNames: ["update_plan"],
  words: { list: "plan", text: "step" },
  carries: { statuses, fields: [], duplicates: true },
  example,
  tools: [
    {
      name: "update_plan",
      summary: "Updates the plan of steps. Use it early and often, unasked.",
      prompts: updatePlanPrompts,
      input: (z) =>
        z.strictObject({
          explanation: z.string().optional().describe("why the plan changed, where it did"),
          plan: listField(
            z,
            "all steps, in order",
            z.strictObject({
              step: z.string({ error: "A step needs words in `step`." }).describe("what to do, in one line"),
              status: choiceField(z, "at most one is in_progress", statuses),
            }),
          ),
        }),
      example,
    },
  ],
  item: ({ content, status }) => ({ step: content, status }),
  goodNews: () => "Plan updated",
})
