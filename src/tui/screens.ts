/** The screens of the command line behind one door, so that React is loaded once and only when a screen is opened. */
export { openAgentScreen } from "./agent/screen.tsx"
export { type BoardScreenOptions, openBoard } from "./board/screen.tsx"
export { Line } from "./components/line.tsx"
export { LookProvider } from "./components/look.tsx"
