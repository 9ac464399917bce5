/**
 * In which order the test files run: starting a process takes the longer, the more memory the one that starts it has. So what
 * starts processes runs first, in workers that are still small; what takes long and much memory comes next; and what is short
 * runs last, so that no worker is left alone at the end. A file that is not named is short.
 */
import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Start processes; the longest first. */
const starting = [
  "attack/suite.test.ts",
  "bridges/launched.test.ts",
  "tui/agent-screen-terminal.test.ts",
  "cli/check-safety.test.ts",
  "web/page-views.test.ts",
  "package.test.ts",
  "examples.test.ts",
  "cli/run.test.ts",
  "guide.test.ts",
  "web/page-edits.test.ts",
  "bridges/killed.test.ts",
  "tui/run-terminal.test.ts",
  "cli/spawned.test.ts",
  "cli/home-pipes.test.ts",
  "web/page-tabs.test.ts",
  "bridges/whose-call.test.ts",
  "stores/postgres/faults.test.ts",
  "cli/agent-terminal.test.ts",
  "bridges/doctor.test.ts",
  "guide-live.test.ts",
  "stores/team.test.ts",
  "bridges/together.test.ts",
  "web/page-notify.test.ts",
  "stores/faults.test.ts",
  "cli/serve-page.test.ts",
  "cli/gate.test.ts",
  "attack/attack-terminal.test.ts",
  "bridges/mcp/team.test.ts",
  "cli/quick-start.test.ts",
  "doors.test.ts",
  "sessions/homes.test.ts",
  "bridges/setup-http.test.ts",
  "tracker/moves.test.ts",
  "bridges/mcp.test.ts",
  "stores/postgres/refusals.test.ts",
  "web/page-team.test.ts",
  "cli/check.test.ts",
  "cli/serve.test.ts",
  "cli/check-hostile.test.ts",
  "guide-team.test.ts",
  "stores/sweep.test.ts",
  "tui/demo-terminal.test.ts",
  "cli/agent-evidence.test.ts",
  "cli/statusline.test.ts",
  "tui/board-terminal.test.ts",
  "evidence/genuine.test.ts",
  "cli/hostile-sessions.test.ts",
  "bridges/mcp/stdio.test.ts",
  "bridges/plugins.test.ts",
  "cli/open.test.ts",
  "reference-agent/tools/bash.test.ts",
  "bridges/programs/find-program.test.ts",
  "bridges/agent-state.test.ts",
  "agents/copilot.test.ts",
  "cli/watch.test.ts",
  "tui/terminal.test.ts",
  "cli/pulled-repository.test.ts",
  "stores/postgres/pooler.test.ts",
  "sessions/titles.test.ts",
  "cli/events.test.ts",
  "tui/guide.test.ts",
]

/** Take long by themselves; the longest first. */
const long = [
  "sessions/hostile.test.ts",
  "attack/attack.test.ts",
  "dialects/dialects.test.ts",
  "dialects/hostile.test.ts",
  "streams/events.test.ts",
  "bridges/agents.test.ts",
  "bridges/model-door.test.ts",
  "cli/damaged-journal.test.ts",
  "sessions/discover.test.ts",
  "sessions/scan-equals-events.test.ts",
  "plan/large.test.ts",
  "stores/delivered-contract.test.ts",
  "bridges/hostile-config.test.ts",
  "streams/observe.test.ts",
  "cli/agent.test.ts",
  "tui/agent-screen.test.tsx",
  "sessions/scan.test.ts",
  "evidence/hostile.test.ts",
  "views/every-view.test.ts",
  "scripted/loopback.test.ts",
  "cli/bridge-plans.test.ts",
  "agents/claude.test.ts",
  "streams/streams.test.ts",
  "board/board.test.ts",
  "stores/postgres/growth.test.ts",
  "cli/commands.test.ts",
  "bridges/config-text.test.ts",
  "plan/large-logs.test.ts",
  "bridges/mcp/http.test.ts",
  "bridges/setup.test.ts",
  "agents/kimi.test.ts",
  "reference-agent/tools/search.test.ts",
  "stores/every-store.test.ts",
  "web/api.test.ts",
  "reference-agent/reminders.test.ts",
  "plan/list/diff.test.ts",
  "cli/foreign-edits.test.ts",
  "sessions/search.test.ts",
]

export const named: readonly string[] = [...starting, ...long]

const places = new Map(named.map((name, place) => [name, place]))

export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => places.get(relative("test", moduleId)) ?? named.length
    const sorted = await super.sort(files)
    // Vitest ends the workers of a project where a file of another one comes next: those of one stay together.
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((one, other) => placeOf(one) - placeOf(other)),
    )
  }
}
