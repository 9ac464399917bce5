/** Which tool calls that a hook is told of are calls of our own tool. */
import { ownToolName } from "../../agents/own-tool-name.ts"

/** A client may also name the tool without its server. */
export const isOwnTool = (name: string): boolean => ownToolName(name) !== undefined || name === "todo"
