/** `headway gc`, killed at random moments while it removes plans. */
import { copyPlan, readPlan } from "../copy-plan.ts"
import { checkHome, filesIn, missingList } from "../home-check.ts"
import { createMachine, type Machine } from "../machine.ts"
import { afterNext, killOften, killSummary, runningChild, writtenFolders } from "./_kill.ts"
import type { Attack } from "./attack.ts"

const finishedPlans = 40

export const killGc: Attack = {
  id: "kill-gc",
  about: "what a killed gc had begun to remove goes with the next one, and a plan with work left stays",
  rounds: { short: 1, full: 50 },
  async run(stage, rounds) {
    const machine = createMachine(stage.folder)
    await machine.headway(["todo", "add", "Still to be done", "--new", "--session", "kept"])
    const finishPlans = await finishedPlan(machine)
    const kills = await killOften(stage, {
      rounds,
      folders: writtenFolders(machine.headwayHome),
      start: () => {
        finishPlans()
        const child = machine.start(["gc", "--older-than", "0m"])
        child.stdin?.end()
        return runningChild(child)
      },
      after: async () => {
        const broken = (await afterNext(machine, ["list"])).filter((line) => !line.startsWith(missingList))
        await machine.headway(["gc", "--older-than", "0m"])
        const { plans } = await checkHome(machine.headwayHome)
        const sessions = plans.map(({ session }) => session)
        if (sessions.join() !== "kept") broken.push(`after the next gc there are plans of ${sessions.join(", ")}`)
        const left = filesIn(machine.headwayHome).filter((path) => path.includes("finished-"))
        return [...broken, ...(left.length > 0 ? [`the next gc leaves ${left.length} files: ${left[0]}`] : [])]
      },
    })
    return { tried: killSummary(kills, `gc over ${finishedPlans} plans`), broken: kills.broken }
  },
}

/** As many finished plans as there should be, copied from one that the command itself wrote. */
const finishedPlan = async ({ headway, headwayHome }: Machine): Promise<() => void> => {
  await headway(["todo", "add", "Done long ago", "--new", "--session", "finished-0"])
  await headway(["todo", "done", "1", "--session", "finished-0"])
  const source = readPlan(headwayHome, "finished-0")
  return () => {
    for (let number = 0; number < finishedPlans; number += 1) copyPlan(headwayHome, source, `finished-${number}`)
  }
}
