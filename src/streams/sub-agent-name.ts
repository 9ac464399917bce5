/** Prevents a sub-agent's id from being mistaken for the main agent's. */

/** The name of a sub-agent, which is never `main`. */
export const subAgentNamed = (id: string): string => (id === "main" ? "sub-agent main" : id)
