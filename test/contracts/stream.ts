/** What every stream must hold: the genuine recordings give the lists a person reads in them, however they are cut. */

import { createDetector, createLineSplitter, createObserver, type Observer } from "../../src/streams/index.ts"
import { streamsOf } from "../agents/loaded.ts"

export type ExpectedTodo = { content: string; status: string; phase?: string; id?: string }
export type ExpectedList = { agent: string; todos: ExpectedTodo[] }

/** Feeds bytes in pieces, as a pipe would. */
export const observeBytes = (
  bytes: Uint8Array,
  pieceSize: number,
  from = "auto",
): Observer & { streamId: string | undefined } => {
  const observer = createObserver()
  const reader = createDetector(streamsOf(from))
  const splitter = createLineSplitter({
    onLine: (line) => {
      for (const signal of reader.read(line)) observer.take(signal)
    },
  })
  for (let at = 0; at < bytes.length; at += pieceSize) splitter.push(bytes.subarray(at, at + pieceSize))
  splitter.end()
  for (const signal of reader.end()) observer.take(signal)
  return { ...observer, streamId: reader.stream?.id }
}

/** The lists an observer ended with, in the shape of the expected ones: only the fields that are expected. */
export const listsOf = (observer: Observer, expected: readonly ExpectedList[]): ExpectedList[] =>
  [...observer.agents.values()]
    .filter(({ plan }) => plan !== undefined && plan.todos.length > 0)
    .map(({ agent, plan }) => {
      const wanted = expected.find((list) => list.agent === agent)
      const todos = (plan?.todos ?? []).map(({ content, status, phase, extra }, index): ExpectedTodo => {
        const fields = wanted?.todos[index] ?? {}
        return {
          content,
          status,
          ...("phase" in fields && phase !== undefined ? { phase } : {}),
          ...("id" in fields && typeof extra?.nativeId === "string" ? { id: extra.nativeId } : {}),
        }
      })
      return { agent, todos }
    })

export const withoutEmpty = (lists: readonly ExpectedList[]): ExpectedList[] =>
  lists.filter(({ todos }) => todos.length > 0)
