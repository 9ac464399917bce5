/** What a model is told about `todo` (one operation a call) and the older `todo_write` (a batch of them). */
import { lines, type Prompts, prose, sections, teachingFor } from "./_teaching.ts"

const shared = {
  item: "todo",
  start: "`start` it, unless it has started by itself",
  finish: "call `done` on it",
  discard: "`drop` it",
  oneAtATime:
    "Exactly one todo is in progress, not fewer, not more: when it ends, the first pending one starts by itself.",
}

const teach = teachingFor({
  ...shared,
  stuck: prose(
    "When you cannot go on, `block` the todo with the `reason`, and `append` a todo for what must be resolved if you",
    "can resolve it. `unblock` it when the way is free.",
  ),
})

const teachOlder = teachingFor({
  ...shared,
  stuck:
    "When you are stuck, leave the todo open, `note` on it what is in the way, and `append` a todo for resolving that.",
})

const targets = [
  "- `task` is the exact text of a todo, `phase` the exact name of a phase. There are no numbers or ids.",
  "- `done` and `drop` take a `task`, a whole `phase`, or, with neither, everything.",
]

export const todoPrompts: Prompts = {
  off: "Keeps the todos of this session, grouped in phases.",
  quiet: prose(
    "Keeps todos in phases, visible to the user. Use it unasked for work of three or more steps; skip it for",
    "quick edits and questions. One `op` a call: `init` the plan, `append` what you find, `done` once it really works",
    "(the next todo starts by itself), `drop` what is no longer needed, `block` with a `reason`, `view` to read. Name",
    "todos by exact text. Update as you go, alongside other calls.",
  ),
  full: sections(
    "Keeps the todos of this session in named phases. One operation a call.",
    lines(
      "## The operations",
      "- `init` with `list: [{ phase, items }]` sets a new plan and discards the old one.",
      "- `append` with `phase` and `items` adds todos; a new phase name creates the phase.",
      "- `start` takes up a todo and puts the one under way back to pending; it also revives what was done or dropped.",
      "- `done` completes, `drop` abandons; `rm` abandons as well, so prefer `drop`.",
      "- `block` needs a target and a `reason`; `unblock` frees it again. `view` reads the list.",
      ...targets,
      "- No two todos may have the same text.",
      "- When an operation fails nothing has changed: read the error and send a corrected one.",
      'For example {"op":"append","phase":"Polish","items":["Shorten the error texts"]}',
    ),
    ...teach.all("layers", "question"),
  ),
}

export const todoWritePrompts: Prompts = {
  off: "Keeps the todos of this session, grouped in phases.",
  quiet: prose(
    "Keeps todos in phases, visible to the user. Use it unasked for work of three or more steps; skip it for",
    "quick edits and questions. A call has one or more `ops`: `init` the plan, `append` what you find, `done` once it",
    "really works (the next todo starts by itself), `drop` what is no longer needed, `note` a finding. Name todos by",
    "exact text. Update as you go, alongside other calls.",
  ),
  full: sections(
    "Keeps the todos of this session in named phases. `ops` holds one or more operations, applied in order.",
    lines(
      "## The operations",
      "- `init` with `list: [{ phase, items }]` sets a new plan and discards the old one.",
      "- `append` with `phase` and `items` adds todos that are not there yet; a new phase name creates the phase.",
      "- `start` takes up a todo and puts the one under way back to pending; it also revives what was done or dropped.",
      "- `done` completes, `drop` abandons, `rm` removes. `note` with `task` and `text` adds a note to a todo.",
      ...targets,
      "- An operation that fails is reported and the others still count: send only the failed one again.",
      'For example {"ops":[{"op":"done","task":"Shorten the errors"},{"op":"start","task":"Write the manual page"}]}',
    ),
    ...teachOlder.all("layers", "question"),
  ),
}
