/** Broken calls as real models make them, for the last part of the demo. */

export type BrokenCall = { dialect: string; tool: string; input: unknown; about: string }

export const brokenCalls: readonly BrokenCall[] = [
  {
    dialect: "claude-todos",
    tool: "TodoWrite",
    about: "the list is a string with single quotes and other field names",
    input: {
      todos:
        "[{'task': 'Find every caller of the old date parser', 'status': 'done'}, {'task': 'Replace the date parser', 'status': 'in-progress'}, {'task': 'Run the tests', 'status': 'todo'}]",
    },
  },
  {
    dialect: "gemini",
    tool: "write_todos",
    about: "two todos in progress at once, which this tool does not allow",
    input: {
      todos: [
        { description: "Replace the date parser", status: "in_progress" },
        { description: "Run the tests", status: "in_progress" },
      ],
    },
  },
  {
    dialect: "headway",
    tool: "todo",
    about: "the call is cut off in the middle",
    input: '{"todos":[{"id":"2","status":"completed"},{"id":"3","status":"in_progress"},{"content":"Remove the old par',
  },
]
