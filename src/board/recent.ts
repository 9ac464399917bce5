/** A small cache that drops the least recently used value. */

export type Recent<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
  values(): Value[]
}

export const createRecent = <Key, Value>(
  most: number,
  onGone: (value: Value) => void = () => {},
): Recent<Key, Value> => {
  // Ordered by last use, because a Map keeps insertion order.
  const kept = new Map<Key, Value>()
  const put = (key: Key, value: Value): void => {
    kept.delete(key)
    kept.set(key, value)
  }
  return {
    get(key) {
      const value = kept.get(key)
      if (value !== undefined) put(key, value)
      return value
    },
    set(key, value) {
      put(key, value)
      const [oldest] = kept
      if (kept.size <= most || !oldest) return
      kept.delete(oldest[0])
      onGone(oldest[1])
    },
    delete: (key) => void kept.delete(key),
    values: () => [...kept.values()],
  }
}
