/** Notes that an agent has called, and which process of it did: so that it is known who hears of an edit, and who has ended. */
import { agentNamed } from "../../agents/index.ts"
import { callingProcess } from "../../agents/process.ts"
import { type Calling, noteClient } from "../../home/client-note.ts"
import { processesHere } from "../../home/processes.ts"

/** Nothing depends on the note, so that what keeps it from being written is not worth a word. */
export const noteCalling = (calling: Omit<Calling, "findProcess" | "processes">): void => {
  try {
    const processes = processesHere()
    const agent = agentNamed(calling.agentType)
    const findProcess = () => {
      const found = agent && processes && callingProcess(agent, processes, process)
      return found && { pid: found.pid, started: found.started }
    }
    noteClient({ ...calling, processes, findProcess })
  } catch {}
}
