/** What a model is told about our own `todo`. */
import { lines, type Prompts, prose, sections, teachingFor } from "./_teaching.ts"

const teach = teachingFor({
  item: "todo",
  start: "set it to in_progress",
  finish: "set it to completed",
  discard: "set it to cancelled, with a `reason` if it is not obvious",
  oneAtATime: prose(
    "Exactly one todo is in_progress while you work: not fewer, not more. Only what sub-agents work on at the same time",
    "may stand beside it.",
  ),
  stuck: prose(
    "When you cannot go on, set the todo to blocked with the `reason` and, in `waitsFor`, who or what it waits for; if",
    "you can resolve the cause yourself, add a todo for that. Then take up another one that can be worked on.",
  ),
})

export const todoPrompts: Prompts = {
  off: "Keeps the plan of this session; an empty call reads it.",
  quiet: prose(
    "Keeps a plan the user can see. Use it unasked for work of three or more steps; skip it for quick edits and",
    "questions. Send only changes: an item with `id` patches that todo, one with new `content` adds it, the rest",
    "stays; `{}` reads, `replace: true` sets all. Update as you go, alongside other calls: in_progress on starting,",
    "completed once it really works, blocked with `reason` and `waitsFor`, cancelled if not needed.",
  ),
  full: sections(
    "Keeps the plan of this session. It outlives compaction and restarts, and the user reads and edits it too.",
    lines(
      "## The call",
      "- An item with an `id`, or with the text of a todo that is there, patches that todo. New `content` adds a todo.",
      "- What you do not mention stays as it is, so send only what changes; several changes fit into one call.",
      "- `replace: true` makes the list exactly what you send. An empty call `{}` reads the list.",
      "- `status` is pending, in_progress, blocked, completed or cancelled.",
      "- When they help: `phase` groups todos, `notes` keeps findings, `blockedBy` names todos by id that come first,",
      "  `owner` takes a todo for half an hour among several agents, `priority` is high, medium or low, `description` has room for detail.",
      "- The reply is short: the ids, what changed, what is next.",
      "- The user's own edits are decisions: what they removed stays removed, what they worded keeps their words.",
    ),
    lines(
      "A plan, then the first todo done and a finding written down:",
      '{"todos":[{"content":"Measure the start","status":"in_progress"},{"content":"Load the parser on demand"}]}',
      '{"todos":[{"id":"1","status":"completed"},{"id":"2","status":"in_progress"},{"content":"Cache the settings"}]}',
    ),
    ...teach.all("several", "correction"),
  ),
}
