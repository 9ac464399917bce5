/** A recorded session for the demo: what three agents of different vendors sent, bad habits included. */

export type RecordedCall = { agent: string; dialect: string; tool: string; input: unknown; about: string }

export const recording: readonly RecordedCall[] = [
  {
    agent: "claude-code",
    dialect: "claude-todos",
    tool: "TodoWrite",
    about: "Claude Code plans its work",
    input: {
      todos: [
        { content: "Find every caller of the old date parser", status: "in_progress", activeForm: "Finding callers" },
        { content: "Replace the parser", status: "pending", activeForm: "Replacing the parser" },
        { content: "Run the tests", status: "pending", activeForm: "Running the tests" },
      ],
    },
  },
  {
    agent: "claude-code",
    dialect: "claude-todos",
    tool: "TodoWrite",
    about: "a smaller model goes on: the list in a string, other keys, no active forms, a step reworded",
    input: {
      todos:
        "[{'task': 'Find every caller of the old date parser', 'status': 'done'}, {'task': 'Replace the date parser', 'status': 'in-progress'}, {'task': 'Run the tests', 'status': 'todo'}]",
    },
  },
  {
    agent: "openai-codex",
    dialect: "codex",
    tool: "update_plan",
    about: "Codex keeps its own plan beside it",
    input: {
      explanation: "The failing build first",
      plan: [
        { step: "Reproduce the failing build", status: "completed" },
        { step: "Pin the compiler", status: "in_progress" },
        { step: "Tell the team", status: "pending" },
      ],
    },
  },
  {
    agent: "google-gemini",
    dialect: "gemini",
    tool: "write_todos",
    about: "Gemini CLI tries to do two things at once, and is told",
    input: {
      todos: [
        { description: "Draft the release notes", status: "in_progress" },
        { description: "Translate the release notes", status: "in_progress" },
      ],
    },
  },
  {
    agent: "google-gemini",
    dialect: "gemini",
    tool: "write_todos",
    about: "and sends it again, one blocked and one dropped",
    input: {
      todos: [
        { description: "Draft the release notes", status: "in_progress" },
        { description: "Translate the release notes", status: "blocked" },
        { description: "Record a video", status: "cancelled" },
      ],
    },
  },
  {
    agent: "claude-code",
    dialect: "headway",
    tool: "todo",
    about: "our own tool: two ids and two words instead of the whole list",
    input: {
      todos: [
        { id: "2", status: "completed" },
        { id: "3", status: "in_progress", notes: ["two files still use the old format"] },
      ],
    },
  },
  {
    agent: "claude-code",
    dialect: "headway",
    tool: "todo",
    about: "the answer is cut off in the middle, and nothing is lost",
    input: '{"todos":[{"id":"3","status":"completed"},{"content":"Remove the old par',
  },
]
