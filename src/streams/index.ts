/** The public door of this room: bytes to lines, lines to signals, signals to plans and unified events. */

export { createDetector, type DetectingReader } from "./detect.ts"
export { createEventReader, type EventReader, type EventReaderOptions } from "./event-reader.ts"
export type { StreamEvent, TodoListEvent, TurnEvent } from "./events.ts"
export { createLineSplitter, type LineSplitter } from "./lines.ts"
export { createObserver, type ObservedAgent, type Observer } from "./observe.ts"
export type { ActivityKind, SessionSignal, Signal, Stream, StreamReader } from "./stream.ts"
export type { Turn, TurnState } from "./turns.ts"
export { createUnifier, type Unifier, type UnifierOptions } from "./unify.ts"
