/** What a model is told about `TaskCreate`, `TaskUpdate`, `TaskGet` and `TaskList`. */
import { lines, type Prompts, prose, sections, teachingFor } from "./_teaching.ts"

const teach = teachingFor({
  item: "task",
  start: "set it to in_progress",
  finish: "set it to completed",
  discard: "set it to deleted",
  oneAtATime: prose(
    "Exactly one task of your own is in_progress while you work: not fewer, not more. Only what sub-agents work on at the",
    "same time may stand beside it.",
  ),
  stuck: prose(
    "When you are stuck, keep the task in_progress, create a task for what must be resolved, and link the two with",
    "`addBlockedBy`.",
  ),
})

export const taskCreatePrompts: Prompts = {
  off: "Adds a task to the list of this session.",
  quiet: "Adds a task to the list. Use it unasked for work of three or more steps; skip quick edits and questions.",
  full: sections(
    "Adds one task to the list of this session; it begins as pending and gets an id, which the result names.",
    lines(
      "## The call",
      '- `subject` is a short command: "Limit the retries". `description` says what belongs to it and when it is done.',
      '- `activeForm` is the same while it happens: "Limiting the retries".',
      "- Look at the list with TaskList first, so that no task is created twice.",
      "- Order and dependencies come afterwards, with TaskUpdate.",
    ),
    teach.whenToUse,
    teach.whenToSkip,
    teach.goodItems,
    teach.twoExamples("several", "pair"),
    teach.whyAtAll,
  ),
}

export const taskUpdatePrompts: Prompts = {
  off: "Changes a task.",
  quiet: "Changes a task: in_progress on starting, completed once it really works, deleted when no longer needed.",
  full: sections(
    "Changes one task: its status, its wording, its owner, or what it depends on. Only the fields you send change.",
    lines(
      "## The call",
      "- `taskId` is the id from TaskCreate or TaskList. If the task may have changed meanwhile, read it with TaskGet.",
      "- `status`: pending is not begun, in_progress is under way, completed is fully done, deleted removes the task.",
      "- `addBlockedBy` names tasks that have to end before this one, `addBlocks` tasks that wait for it.",
      "- `owner` says who works on it: claim a free task before you begin it.",
    ),
    teach.keepItTrue,
    teach.whatDoneMeans,
    "After completing a task look at TaskList for one that has become free.",
  ),
}

export const taskGetPrompts: Prompts = {
  off: "Reads one task.",
  quiet: "Reads one task in full: description, status, dependencies.",
  full: lines(
    "Reads one task by its `taskId`: subject, description, status, what it waits for and what waits for it.",
    "Use it before you begin a task, to know all that belongs to it, and before you change one others may touch.",
    "A task is ready when everything it waits for is completed.",
  ),
}

export const taskListPrompts: Prompts = {
  off: "Lists all tasks.",
  quiet: "Lists all tasks: id, subject, status, owner, what blocks them.",
  full: lines(
    "Lists all tasks with id, subject, status, owner and what still blocks them.",
    "Use it before creating tasks, to see what is planned, and after completing one, to find the next.",
    "Free to take is a task that is pending, has no owner and waits for nothing; of several prefer the lowest id.",
    "Descriptions are left out here; TaskGet has them.",
  ),
}
