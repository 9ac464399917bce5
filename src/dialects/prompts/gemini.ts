/** What a model is told about `write_todos`. */
import { lines, type Prompts, prose, sections, teachingFor } from "./_teaching.ts"

const teach = teachingFor({
  item: "todo",
  start: "set it to in_progress",
  finish: "set it to completed",
  discard: "set it to cancelled",
  oneAtATime: "Exactly one todo is in_progress while you work: not fewer, not more. A call with two is refused.",
  stuck: "When you are stuck, set the todo to blocked and add a todo for what must be resolved before it can go on.",
})

export const writeTodosPrompts: Prompts = {
  off: "Keeps the list of todos for this session.",
  quiet: prose(
    "Keeps a list of todos the user can see. Use it unasked for work of three or more steps; skip it for",
    "quick edits and questions. Each call sends the whole list, with one todo in_progress at a time. Update as you go,",
    "alongside other calls: completed once it really works, blocked when you cannot go on, cancelled when no longer",
    "needed.",
  ),
  full: sections(
    "Keeps the list of todos for this session, so that you and the user can follow the work.",
    lines(
      "## The call",
      "- Each call replaces the whole list: send every todo, also those that did not change. An empty list clears it.",
      "- `description` says what is to be done, as a short command.",
      "- `status`: pending is not begun, in_progress is under way now, completed is fully done, cancelled is no longer",
      "  needed, blocked cannot go on before something else is resolved.",
    ),
    ...teach.all("diagnosis", "question"),
  ),
}
