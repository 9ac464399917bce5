/** Recognises input meant for the program, not for the agent. */

/** A command begins with a slash and a word; a path has more slashes. */
export const isCommand = (text: string): boolean => /^\/[a-z?][a-z-]*(?:\s|$)/i.test(text)
