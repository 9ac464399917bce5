/** What a model is told about `TodoWrite`. */
import { lines, type Prompts, prose, sections, showExamples, teachingFor } from "./_teaching.ts"

const teach = teachingFor({
  item: "todo",
  start: "set it to in_progress",
  finish: "set it to completed",
  discard: "remove it: leave it out of the next call",
  oneAtATime: "Exactly one todo is in_progress while you work: not fewer, not more.",
  stuck: prose(
    "When you are stuck, keep the todo in_progress and add a todo for what must be resolved. If you have to take up",
    "another one first, move the current one back to pending in the same call that adds the todo for the blocker.",
  ),
})

const { uses, skips } = teach

export const todoWritePrompts: Prompts = {
  off: "Keeps the list of todos for this session.",
  quiet: prose(
    "Keeps a list of todos the user can see. Use it unasked for work of three or more steps; skip it for quick edits",
    "and questions. Each call sends the whole list. Update as you go, alongside other calls: in_progress on starting,",
    "completed once it really works, new todos as found.",
  ),
  full: sections(
    "Keeps the list of todos for this session: plan with it, follow the plan, and let the user see where you are.",
    teach.whenToUse,
    teach.whenToSkip,
    lines(
      "## States and wording",
      "- pending: not begun. in_progress: being worked on now. completed: fully done.",
      '- Every todo has two forms of wording. `content` is a command: "Limit the retries".',
      '  `activeForm` is the same while it happens: "Limiting the retries". Always give both.',
      "- Each call replaces the whole list, so send every todo, also those that did not change.",
      "- When all of them are completed the list is put away; the next call begins a new one.",
    ),
    teach.goodItems,
    teach.keepItTrue,
    teach.whatDoneMeans,
    showExamples("## Examples where the list helps", [
      uses.layers,
      uses.search,
      uses.several,
      uses.diagnosis,
      uses.newWish,
    ]),
    showExamples("## Examples where it does not", [skips.question, skips.correction, skips.command, skips.pair]),
    teach.whyAtAll,
  ),
}
