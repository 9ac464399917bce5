/** Determines what undoing set-up would change: byte for byte if a file was not touched since. */
import { extname, join, sep } from "node:path"
import { bytesFor, type Content, formatOf, readConfig } from "../config/config-file.ts"
import { isSame, valueAt } from "../config/edit.ts"
import type { Agent, ConfigFile, Scope, Where } from "./agent-settings.ts"
import { editFile, naming } from "./edit-file.ts"
import { ourHooks } from "./own-entries.ts"
import { byFile, type ChangedFile, type Prepared, recordOf, type Subject, whoseOf } from "./prepare.ts"
import { type FileRecord, isAsLeft, readBackup } from "./record.ts"
import { type Wished, wishesToUndo } from "./wishes.ts"

/** Byte for byte where the file was not touched since; else only our parts go. */
export const prepareUndo = (subject: Subject): Prepared => {
  const { agent, scope, where, records } = subject
  const own = records.filter((one) => one.agent === agent.id && one.scope === scope && isHere(one, where))
  const files: ChangedFile[] = []
  const groups = byFile([...tracesOf(agent, where, scope), ...wishesToUndo(agent, where, scope)])
  // A file noted down that the agent would not look at now, because another one has come.
  for (const { path } of own.filter((one) => !groups.some(({ file }) => file.path === one.path))) {
    const file: ConfigFile = { path, reads: readsOf(path) }
    const wishes = wishesToUndo(agent, where, scope)
    groups.push({ file, own: wishes.map(({ setting, wish }) => ({ setting: { ...setting, file }, wish })) })
  }
  for (const { file, own: wishes } of groups) {
    const content = readConfig(file.path, where)
    const record = recordOf(own, agent, file.path)
    if (content.bytes === undefined) continue
    const mode = typeof record?.mode === "number" ? record.mode & 0o777 : content.mode
    const whole = record && restored(content, record)
    if (whole) {
      files.push({ ...whole, content, mode, record: undefined, isExact: true })
      continue
    }
    const edited = editFile(file, content, wishes, record, whoseOf(subject))
    if (edited.text === content.text) continue
    const format = formatOf(file.reads)
    const isEmpty = (record?.before === null || format.dropsFile) && isSame(format.parse(edited.text), {})
    const bytes = isEmpty ? undefined : bytesFor(content, edited.text)
    const text = isEmpty ? "" : edited.text
    files.push({ content, bytes, text, mode, record: undefined, isExact: false })
  }
  return { files, warnings: [], forgotten: own.map(({ path }) => path) }
}

const readsOf = (path: string): ConfigFile["reads"] => endings[extname(path)] ?? "plain JSON"

const endings: Partial<Record<string, ConfigFile["reads"]>> = {
  ".toml": "TOML",
  ".yaml": "YAML",
  ".js": "JavaScript",
}

/** What the agent noted about our hooks is removed before them, because it is found by their places. */
const tracesOf = (agent: Agent, where: Where, scope: Scope): Wished[] =>
  [agent.hooks?.("", where, scope) ?? [], agent.laterHooks?.hooks("", where, scope) ?? []]
    .flat()
    .flatMap(({ file, path }) => {
      const root = naming(file.path, () => formatOf(file.reads).parse(readConfig(file.path, where).text))
      return ourHooks(valueAt(root, path)).flatMap((own): Wished[] => {
        const trust = agent.hookTrust?.(where, file, { event: String(path.at(-1)), ...own })
        return trust ? [{ setting: { kind: "trace", value: null, ...trust }, wish: "remove" }] : []
      })
    })

const isHere = ({ scope, path }: FileRecord, { project }: Where): boolean =>
  scope === "user" || path.startsWith(join(project, sep))

const restored = (content: Content, record: FileRecord): { bytes: Buffer | undefined; text: string } | undefined => {
  if (content.bytes === undefined || !isAsLeft(record, content.bytes)) return undefined
  if (record.before === null) return { bytes: undefined, text: "" }
  const bytes = readBackup(record)
  return bytes && { bytes, text: bytes.toString("utf8").replace(/^\ufeff/, "") }
}
