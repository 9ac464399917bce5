/** Kilo: opencode's configuration under Kilo's names. Kilo reads files with opencode's names too. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import { dataFolder, type OpencodeNames, settingsFolder, settingsWith } from "../opencode/settings.ts"

const names: OpencodeNames = {
  folder: (where) => fullPath(where.env.KILO_CONFIG_DIR) ?? settingsFolder(where, "kilo"),
  data: (where) => dataFolder(where, "kilo"),
  configs: (where, scope) => {
    const root = scope === "project" ? where.project : names.folder(where)
    const own = join(root, ...(scope === "project" ? [".kilo"] : []), "kilo.jsonc")
    const others = scope === "project" ? [".kilo/kilo.json", "kilo.jsonc", "kilo.json"] : ["kilo.json", "config.json"]
    return [own, ...others.map((name) => join(root, name)), own]
  },
  projectFolder: ".kilo",
}

export const settings = settingsWith(names)
