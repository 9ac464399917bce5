/** `headway doctor`: reports for each agent what works, what is off and how to turn it on. Changes nothing. */

import { connectedAgentIds, loadConnectedAgent, loadConnectedAgents, loadSources } from "../../agents/index.ts"
import { type AgentReport, examine } from "../../bridges/doctor/examine.ts"
import { storeHealth } from "../../bridges/doctor/store-health.ts"
import { unusedVariables } from "../../bridges/doctor/unused-variables.ts"
import type { Agent } from "../../bridges/setup/agent-settings.ts"
import { isQuick } from "../../bridges/setup/launcher.ts"
import { waitingForOthers } from "../../stores/index.ts"
import { clearUpSetup, launcherFor, quickWordsOf, whereOf } from "../bridge/agent-setup.ts"
import { sessionsHere } from "../choose/sessions-here.ts"
import { defineCommand } from "../command.ts"
import { doctorLines } from "../output/doctor-lines.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, storeOf, urlOf } from "../place/place.ts"

export const doctor = defineCommand({
  usage: "doctor [AGENT] [--look]",
  about:
    "Reports for each agent found here: its version and model, whether its own list tool is on and which switch changes that, whether Headway is connected and responds; and whether plans can be kept. Exit code 1 when something is broken.",
  maxWords: 1,
  firstWords: connectedAgentIds,
  options: {
    look: { type: "boolean", about: "only read configuration; start none of the programs named in it" },
  },
  examples: ["headway doctor", "headway doctor claude-code", "headway doctor --json"],
  async run(context) {
    const { io, values, words } = context
    const [name] = words
    const asked: readonly Agent[] = name === undefined ? await loadConnectedAgents() : [await loadConnectedAgent(name)]
    const where = whereOf(context)
    clearUpSetup(context)
    for (const variable of unusedVariables(await loadSources(), io.env, io.home))
      say(io, `${variable} is ignored, because it is not an absolute path: ${io.env[variable]}`)
    const sessions = await sessionsHere(context)
    const hasScript = isQuick(quickWordsOf(await launcherFor(context, "user")))
    const reports: AgentReport[] = []
    for (const agent of asked) {
      const own = sessions.filter(({ agentType }) => agentType === agent.id)
      reports.push(await examine({ agent, where, sessions: own, isTrying: values.look !== true, hasScript }))
    }
    const waiting = await waitingForOthers(urlOf(context), homeOf(context))
    const store = await storeHealth({ home: homeOf(context), store: () => storeOf(context), waiting, now: io.now() })
    const isBroken = reports.some((report) => report.isBroken) || store.some(({ ok }) => !ok)
    const shown = name === undefined ? reports.filter((report) => report.isFound) : reports
    if (values.json) io.out(printJson({ ok: !isBroken, agents: shown, store }))
    else io.out(doctorLines({ shown, others: reports.filter((report) => !shown.includes(report)), store }, io.columns))
    return isBroken ? 1 : 0
  },
})
