/** What a model is told about the `TodoWrite` with hard limits. */
import { lines, type Prompts, prose, sections, teachingFor } from "./_teaching.ts"

const teach = teachingFor({
  item: "todo",
  start: "set it to in_progress",
  finish: "set it to completed",
  discard: "leave it out of the next call",
  oneAtATime: prose(
    "Exactly one todo is in_progress while you work: not fewer, not more. A call with two is refused and nothing is",
    "stored.",
  ),
  stuck: prose(
    "When you are stuck, keep the todo in_progress and add one for what must be resolved. To work on that first, move",
    "the stuck one back to pending in the same call.",
  ),
})

export const todoWritePrompts: Prompts = {
  off: "Keeps the list of todos for this session.",
  quiet: prose(
    "Keeps a list of todos the user can see. Use it unasked for work of three or more steps; skip it for",
    "quick edits and questions. Each call sends the whole list: up to 20 todos of 500 characters, one in_progress at a",
    "time. Update as you go, alongside other calls; completed only once it really works.",
  ),
  full: sections(
    "Keeps the list of todos for this session and shows it back to you with what is done, under way and left.",
    lines(
      "## The call",
      "- Each call replaces the whole list: send every todo, also those that did not change.",
      "- At most 20 todos. `content` and `activeForm` hold at most 500 characters each; aim for one short line.",
      '- `content` is a command ("Limit the retries"), `activeForm` the same as it happens ("Limiting the retries").',
      "- `status` is pending, in_progress or completed.",
    ),
    teach.whenToUse,
    teach.whenToSkip,
    teach.goodItems,
    "If the work needs more than 20 todos, list the nearest part in detail and keep one todo for planning the rest.",
    teach.keepItTrue,
    teach.whatDoneMeans,
    teach.twoExamples("search", "pair"),
    teach.whyAtAll,
  ),
}
