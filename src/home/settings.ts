/** A person's settings in Headway's home. Unknown keys are kept, and so is a file that cannot be read. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "../plan/log/shape.ts"
import { readForeignText } from "./reading/foreign-file.ts"
import { keepAside, replaceFile } from "./writing/write-file.ts"

export type Settings = {
  /** Whether agents are offered the list at all. */
  todoFeatureEnabled: boolean
  /** The same by another agent's name (behaviour O17): either of them switches the list off. */
  "todo.enabled": boolean
  /** Whether the list is shown in full. */
  showExpandedTodos: boolean
  /** Seconds until finished todos leave the visible list; negative never, 0 at once. */
  "tasks.todoClearDelay": number
  /** Keep the plans of a repository in its own `.headway` folder. */
  keepPlansInProject: boolean
  /** Where plans are kept, as `--store` says it; `file:` is the home. */
  store: string
  /** PERSON@MACHINE, as others see it on plans that are shared; what is left out is the user and the name of this machine. */
  who: string
  /** Days after which a session that is over is folded away; negative never. */
  "board.foldAfterDays": number
  /** Whether the board takes clicks and the wheel. */
  "board.mouse": boolean
}

export const defaultSettings: Settings = {
  todoFeatureEnabled: true,
  "todo.enabled": true,
  showExpandedTodos: false,
  "tasks.todoClearDelay": 60,
  keepPlansInProject: false,
  store: "file:",
  who: "@",
  "board.foldAfterDays": 3,
  "board.mouse": true,
}

/** The settings of a home; what is missing or of the wrong kind keeps its default. */
export const loadSettings = (home: string): Settings => {
  const saved = readSaved(home) ?? {}
  const known = Object.entries(defaultSettings).map(([name, standard]) => {
    const value = saved[name]
    return [name, typeof value === typeof standard ? value : standard]
  })
  return Object.fromEntries(known) as Settings
}

/** Whether agents are offered the list, under either of the setting's two names. */
export const offersList = (settings: Settings): boolean => settings.todoFeatureEnabled && settings["todo.enabled"]

export const saveSettings = (home: string, changed: Partial<Settings>): Settings => {
  const path = join(home, "settings.json")
  const old = readSaved(home)
  if (old === undefined && existsSync(path)) keepAside(path)
  replaceFile(path, `${JSON.stringify({ ...old, ...changed }, null, 2)}\n`, join(home, "tmp"), { isDurable: true })
  return loadSettings(home)
}

const readSaved = (home: string): Record<string, unknown> | undefined => {
  try {
    const saved: unknown = JSON.parse(readForeignText(join(home, "settings.json")))
    return isRecord(saved) ? saved : undefined
  } catch {
    return undefined
  }
}
