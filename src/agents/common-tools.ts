/** The common tools of agents by name, and the common parts of their results. */
import { commandOf, delegationOf, editOf, reading, type WorkResult, type WorkTools } from "../streams/work.ts"

const command = commandOf("command", "cmd", "commands")
const edit = editOf("file_path", "path", "filePath", "filepath", "target_file", "notebook_path")
const delegation = delegationOf("description")

const named = <Value>(names: string, value: Value): Record<string, Value> =>
  Object.fromEntries(names.split(" ").map((name) => [name, value]))

export const commonTools: WorkTools = {
  ...named("Bash bash PowerShell powershell shell run_shell_command run_terminal_command run_terminal_cmd", command),
  ...named("run_commands execute_command exec_command terminal Shell", command),
  ...named(
    "Edit edit MultiEdit multiedit MultiEdit edit_file str_replace str_replace_editor replace search_replace",
    edit,
  ),
  ...named("Write write write_file create create_file write_to_file replace_in_file NotebookEdit notebook_edit", edit),
  ...named("apply_patch patch editor StrReplace Delete delete_file", edit),
  ...named("Task task Agent agent spawn_agent spawn_subagent", delegation),
  ...named("Read read read_file read_files view Grep grep grep_search search search_codebase Glob glob LS ls", reading),
  ...named(
    "list list_dir list_directory list_files find codebase_search WebFetch webfetch web_fetch fetch_web_content",
    reading,
  ),
  ...named(
    "WebSearch web_search websearch Fetch Search Skill skill skills ToolSearch tool_search search_tool",
    reading,
  ),
  ...named("ask_user ask_question ask_user_question AskUserQuestion TaskOutput BashOutput report_intent", reading),
}

/** The clients' texts for a refusal by the person. */
const refusals =
  /\b(?:rejected by (?:the )?user|(?:the )?user (?:rejected|denied|declined|did not allow|doesn't want|cancelled|canceled)|denied by (?:the )?user|operation cancelled)\b/i

const timeOuts =
  /\b(?:timed out after|killed by timeout|(?:was )?ended because it took|exceeded (?:its |the )?time ?out)\b/i

/** A result with text, an optional exit code, and an error flag. */
export const commonResult = (
  text: string,
  { code, isError }: { code?: number | undefined; isError?: boolean | undefined },
): WorkResult => ({
  output: text,
  ...(code === undefined ? (isError === undefined ? {} : { isError }) : { exitCode: code }),
  ...(isError !== false && code === undefined && refusals.test(text.slice(0, 500)) ? { isRefused: true as const } : {}),
  ...(isError === true && (timeOuts.test(text.slice(0, 500)) || timeOuts.test(text.slice(-500)))
    ? { isTimedOut: true as const }
    : {}),
})

/** The number that follows a pattern, such as "exit code: 1". */
export const codeIn = (pattern: RegExp, text: string): number | undefined => {
  const [, code] = pattern.exec(text) ?? []
  return code === undefined ? undefined : Number(code)
}
