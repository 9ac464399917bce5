/** Keeps a sub-agent from being taken for the main agent, whatever id a model or a file gave it. */

/** The name of an agent that is not the main one: none may pose as it. */
export const subAgentNamed = (id: string): string => (id === "main" ? "sub-agent main" : id)
