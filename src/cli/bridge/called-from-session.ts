/** Whether an agent called this command itself, from one of its sessions. */
import { clientsIn } from "../../home/processes/clients.ts"
import { processesHere } from "../../home/processes/processes.ts"

/** Whether one of the processes above this one is a client of that session, as its hooks and servers have recorded. */
export const isCalledFromSession = (home: string, agentType: string, session: string): boolean => {
  const served = clientsIn(home).flatMap((client) =>
    client.agentType === agentType && client.sessions.some((one) => one.session === session) ? [client.process] : [],
  )
  return (
    served.length > 0 &&
    callers().some(({ pid, start }) => served.some((one) => one?.pid === pid && one.start === start))
  )
}

/** The processes above this one, the nearest first, as far as they belong to the same user. */
const callers = (): { pid: number; start: string }[] => {
  const processes = processesHere()
  const user = process.getuid?.()
  const found: { pid: number; start: string }[] = []
  let next = processes?.find(process.ppid)
  while (next && next.user === user && next.pid > 1 && found.length < mostCallers) {
    found.push({ pid: next.pid, start: next.start })
    next = processes?.find(next.parent)
  }
  return found
}

/** Far more than there are between an agent and a script that it runs. */
const mostCallers = 64
