/** Recognises calls of our own tool among those reported to a hook. */
import { ownToolName } from "../../agents/own-tool-name.ts"

/** A client may also name the tool without its server. */
export const isOwnTool = (name: string): boolean => ownToolName(name) !== undefined || name === "todo"
