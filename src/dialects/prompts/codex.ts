/** What a model is told about `update_plan`. */
import { lines, type Prompts, prose, sections, teachingFor } from "./_teaching.ts"

const teach = teachingFor({
  item: "step",
  start: "set it to in_progress",
  finish: "set it to completed",
  discard: "leave it out of the next call and say why in `explanation`",
  oneAtATime: "Exactly one step is in_progress while you work: not fewer, not more.",
  stuck: "When you are stuck, keep the step in_progress and add a step for what must be resolved.",
})

export const updatePlanPrompts: Prompts = {
  off: "Keeps the plan for this session.",
  quiet: prose(
    "Keeps a plan the user can see. Use it unasked for work of three or more steps; skip it for quick edits",
    "and questions. Each call sends the whole plan; when it changes course, say why in `explanation`. Update as you",
    "go, alongside other calls: in_progress on starting, completed once it really works, new steps as you find them.",
  ),
  full: sections(
    "Keeps the plan for this session: the steps, which of them is under way and which are done.",
    lines(
      "## The call",
      "- Each call replaces the whole `plan`: send every step, also those that did not change.",
      "- `step` says in one short line what is to be done; `status` is pending, in_progress or completed.",
      "- `explanation` is optional: one sentence on why the plan changed, when it did.",
      "- The user sees the plan, so there is no need to repeat it in your answer.",
    ),
    ...teach.all("layers", "command"),
  ),
}
