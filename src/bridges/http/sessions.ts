/** Limits the clients of a server: sessions that were never used make room first, active ones are kept. */

export type Session<Held> = {
  id: string
  /** What kind of client it is; one kind cannot push out another before its own. */
  kind: string
  held: Held
}

export type SessionsOptions<Held> = {
  most: number
  /** How long a session must be silent before it makes room for another, in milliseconds. */
  idleAfter: number
  now: () => number
  /** Releases the resources of a session. */
  end: (held: Held) => Promise<void>
}

export type Sessions<Held> = {
  /** False when every place is taken by a client that uses it. */
  add(session: Session<Held>): Promise<boolean>
  find(id: string): Held | undefined
  /** A request of a session begins; the result ends it. */
  begin(id: string, isUse: boolean): () => void
  drop(id: string): Promise<void>
  close(): Promise<void>
}

type Place<Held> = Session<Held> & { isUsed: boolean; open: number; last: number }

export const createSessions = <Held>({ most, idleAfter, now, end }: SessionsOptions<Held>): Sessions<Held> => {
  // In the order of last use: a Map keeps the order of insertion.
  const places = new Map<string, Place<Held>>()

  const drop = async (id: string): Promise<void> => {
    const place = places.get(id)
    places.delete(id)
    if (place) await end(place.held)
  }

  const isIdle = ({ open, last }: Place<Held>): boolean => open === 0 && now() - last >= idleAfter

  /** The session that makes room for one of this kind; undefined when all are in use. */
  const leaving = (kind: string): Place<Held> | undefined => {
    const all = [...places.values()]
    const unused = all.filter(({ isUsed, open }) => !isUsed && open === 0)
    const idle = all.filter(isIdle)
    const isSame = (place: Place<Held>): boolean => place.kind === kind
    return unused.find(isSame) ?? unused[0] ?? idle.find(isSame) ?? idle[0]
  }

  return {
    async add(session) {
      const before = places.size < most ? undefined : leaving(session.kind)
      if (places.size >= most && !before) return false
      // Taken before anything is waited for, so that many at once do not all find the same place.
      if (before) places.delete(before.id)
      places.set(session.id, { ...session, isUsed: false, open: 0, last: now() })
      if (before) await end(before.held)
      return true
    },
    find: (id) => places.get(id)?.held,
    begin(id, isUse) {
      const place = places.get(id)
      if (!place) return () => {}
      const touch = (): void => {
        place.last = now()
        if (places.delete(id)) places.set(id, place)
      }
      place.isUsed ||= isUse
      place.open += 1
      touch()
      return () => {
        place.open -= 1
        touch()
      }
    },
    drop,
    async close() {
      await Promise.all([...places.keys()].map(drop))
    },
  }
}
