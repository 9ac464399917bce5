/** Continue: models and servers in one file of the person, which must already exist. */
import { join } from "node:path"
import type { AgentSettings, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { serverName, serverSetting } from "../settings-shapes.ts"

const folder = ({ env, home }: Where): string => fullPath(env.CONTINUE_GLOBAL_DIR) ?? join(home, ".continue")

export const settings: AgentSettings = {
  homes: (where) => [folder(where)],
  hasNoProjectFile: true,
  needsItsOwnFile: true,
  server: (call, where, scope) =>
    scope === "project"
      ? []
      : [
          {
            ...serverSetting({ path: join(folder(where), "config.yaml"), reads: "YAML" }, ["mcpServers"], call, {
              started: (command, args) => ({ name: serverName, type: "stdio", command, args }),
              asked: (url, headers) => ({
                name: serverName,
                type: "streamable-http",
                url,
                requestOptions: { headers },
              }),
            }),
            nameKey: "name",
          },
        ],
  native: {
    tools: ["Checklist"],
    // Another file and command-line options exclude tools by patterns.
    state: () => "unknown",
    advice: { unknown: "It is on, unless it was excluded: cn --exclude Checklist" },
  },
}
