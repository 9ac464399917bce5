/** Prevents a sub-agent's id from being mistaken for the main agent's. */

/** The name of an agent that is not the main one: none may pose as it. */
export const subAgentNamed = (id: string): string => (id === "main" ? "sub-agent main" : id)
