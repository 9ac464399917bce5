/** Lists that several sessions share, such as a team's: stored under a name of their own, shown in each session. */
import { type Candidate, ofSession } from "./merge-sessions.ts"
import { sessionIn, sessionKey } from "./session-key.ts"

export const createSharedLists = (candidatesIn: (key: string) => Candidate[]) => {
  /** By the key of a list, the keys of the sessions that share it. */
  const sharing = new Map<string, Set<string>>()

  const listsOf = (key: string): string[] => {
    const lists = candidatesIn(key).flatMap(({ found, facts, isLines }) => {
      const name = isLines ? facts.about.sharedList : undefined
      return name === undefined ? [] : [sessionKey(found.source.agentType, folderNamed(name))]
    })
    return [...new Set(lists)].filter((list) => list !== key)
  }

  /** A list named after a session belongs to that session, even if others claim to share it. */
  const isSession = (key: string): boolean => candidatesIn(key).some(({ isLines }) => isLines)

  return {
    /**
     * Finds which sessions share which list. Sessions that join or leave a list, or share a changed one, become stale.
     */
    find(stale: Set<string>): void {
      const before = new Map([...sharing].map(([list, members]) => [list, [...members]]))
      for (const key of stale) {
        for (const members of sharing.values()) members.delete(key)
        for (const list of listsOf(key)) sharing.set(list, (sharing.get(list) ?? new Set()).add(key))
      }
      for (const [list, members] of sharing) {
        const old = before.get(list) ?? []
        const isOther = old.length !== members.size || old.some((key) => !members.has(key))
        if (isOther) stale.add(list)
        if (stale.has(list)) for (const key of [...old, ...members]) stale.add(key)
        if (members.size === 0) sharing.delete(list)
      }
    },
    /** Everything the files say about a session. A shared list replaces its own list and is not a session itself. */
    candidatesOf(key: string): Candidate[] {
      const shared = listsOf(key)
        .filter((list) => !isSession(list))
        .flatMap((list) => candidatesIn(list).filter(isFolder))
        .map((one) => ofSession(one, { session: sessionIn(key) }))
      const isLeft = shared.length > 0 || (sharing.has(key) && !isSession(key))
      return [...candidatesIn(key).filter((one) => !(isLeft && isFolder(one))), ...shared]
    },
  }
}

const isFolder = ({ found }: Candidate): boolean => found.place.reading.as === "folder"

/** How a client turns a name into a folder name. */
const folderNamed = (name: string): string => name.replaceAll(/[^\w-]/g, "-")
