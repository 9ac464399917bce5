/** A value that components can follow. */
import { useSyncExternalStore } from "react"

export type Store<Value> = {
  readonly value: Value
  set(next: Value): void
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

export const createStore = <Value>(first: Value): Store<Value> => {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get value() {
      return value
    },
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, () => store.value)
