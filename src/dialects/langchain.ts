/** LangChain's and deepagents' `write_todos`: the whole list, with any number of todos in progress. */
import { wholeListDialect } from "./_whole-list.ts"

export const langchain = wholeListDialect({
  id: "langchain",
  title: "LangChain write_todos",
  toolNames: ["write_todos"],
  words: { list: "todos", text: "content" },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: [], duplicates: true },
  example: { todos: [{ content: "Run the tests", status: "in_progress" }] },
  item: ({ content, status }) => ({ content, status }),
  goodNews: () => "The list is saved.",
})
