/** Codex's `update_plan`: the whole list of steps in three statuses; its app server spells them in camel case. */
import { wholeListDialect } from "./_whole-list.ts"
import { updatePlanPrompts } from "./prompts/codex.ts"

const example = { plan: [{ step: "Run the tests", status: "in_progress" }] }

export const codex = wholeListDialect({
  id: "codex",
  title: "Codex update_plan",
  toolNames: ["update_plan"],
  words: { list: "plan", text: "step" },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: [], duplicates: true },
  example,
  tools: [
    {
      name: "update_plan",
      summary: "Updates the plan of steps.",
      prompts: updatePlanPrompts,
      input: (z) =>
        z.strictObject({
          explanation: z.string().optional(),
          plan: z.array(z.strictObject({ step: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })),
        }),
      example,
    },
  ],
  item: ({ content, status }) => ({ step: content, status }),
  goodNews: () => "Plan updated",
})
