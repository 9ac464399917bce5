/** The door of the room: Ink components for people who build agents. */

export { Line } from "./line.tsx"
export { type Look, LookProvider, useLook } from "./look.tsx"
