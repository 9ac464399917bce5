/** Reads the work of Gemini CLI's tools and its outcome. */
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"
import { commandOf, delegationOf, editOf, reading, type WorkResult, type WorkTools } from "../../streams/work.ts"

export const geminiTools: WorkTools = {
  run_shell_command: commandOf("command"),
  replace: editOf("file_path"),
  write_file: editOf("file_path"),
  edit: editOf("file_path"),
  delegate_to_agent: delegationOf("objective"),
  read_file: reading,
  read_many_files: reading,
  list_directory: reading,
  glob: reading,
  grep_search: reading,
  search_file_content: reading,
  google_web_search: reading,
  web_fetch: reading,
  ask_user: reading,
  save_memory: reading,
  activate_skill: reading,
  enter_plan_mode: reading,
  exit_plan_mode: reading,
}

/**
 * A shell's output is a text with a few fields, such as "Exit Code: 1"; empty fields are left out. The client's printed
 * stream has no such fields, and reports even a failed command as a success.
 */
export const resultOf = (text: string, status: unknown, { hasCode = true } = {}): WorkResult => {
  const [, code] = /^Exit Code: (\d{1,3})$/m.exec(text) ?? []
  const isStopped = status === "cancelled" || /^\[?Operation Cancelled|^User (?:did not|rejected|cancel)/i.test(text)
  return {
    output: text,
    ...(isStopped ? { isRefused: true } : {}),
    ...(/^Command (?:timed out|was automatically cancelled because it exceeded)/.test(text)
      ? { isTimedOut: true }
      : {}),
    ...(/^Command moved to background|^Background PIDs: \d/m.test(text) && code === undefined
      ? { isRunning: true }
      : {}),
    // In a format with exit codes, a result without one is a success, according to the client.
    ...(code === undefined ? errorIn(status, hasCode) : { exitCode: Number(code) }),
  }
}

const errorIn = (status: unknown, hasCode: boolean): Pick<WorkResult, "isError"> =>
  status === "error" ? { isError: true } : hasCode ? { isError: false } : {}

/** The text of a result's error, in a line of the stream or a record of a chat. */
export const errorText = ({ output, error }: Fields): string =>
  textOf(output) ?? textOf(fieldsOf(error).message) ?? textOf(error) ?? ""
