/** Which tool calls are calls of our own tool. */

/** Clients put the server's name before the tool's, each in its own way. */
export const isOwnTool = (name: string): boolean => /(?:^|_)headway_/.test(name) || name === "todo"
