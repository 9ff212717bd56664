/** The reference's and other agents' names of the tools (R-11…R-30, D-51), and which of ours they mean; where a session lacks the first, the next. */
const TOOLS: ReadonlyMap<string, readonly [string, ...string[]]> = new Map([
  ['Read', ['read_file']],
  ['view_image', ['read_file']],
  ['Write', ['write_file']],
  ['create_file', ['write_file']],
  ['Edit', ['edit_file']],
  ['str_replace', ['edit_file']],
  ['modify_file', ['edit_file']],
  ['replace', ['edit_file']],
  ['MultiEdit', ['multi_edit']],
  ['ApplyPatch', ['apply_patch']],
  ['remove_file', ['delete_file']],
  ['Glob', ['glob']],
  ['find', ['glob']],
  ['Grep', ['grep']],
  ['search_file_content', ['grep']],
  ['LS', ['list_dir']],
  ['list', ['list_dir']],
  ['list_files', ['list_dir']],
  ['list_directory', ['list_dir']],
  ['Bash', ['bash', 'shell']],
  ['run_command', ['shell']],
  ['run_shell_command', ['shell']],
  ['shell_command', ['shell']],
  ['local_shell', ['shell']],
  ['container.exec', ['shell']],
  ['exec_command', ['shell']],
  ['execute_command', ['shell']],
  ['run_terminal_cmd', ['shell']],
  ['run_terminal_command', ['shell']],
  ['run_in_terminal', ['shell']],
  ['execute_bash', ['bash', 'shell']],
  ['BashOutput', ['bash_output']],
  ['KillShell', ['kill_shell']],
  ['KillBash', ['kill_shell']],
  ['TodoWrite', ['todo_write']],
  ['update_plan', ['todo_write']],
  ['write_todos', ['todo_write']],
  ['TodoRead', ['todo_read']],
  ['WebFetch', ['web_fetch']],
  ['web_extract', ['web_fetch']],
  ['WebSearch', ['web_search']],
  ['google_web_search', ['web_search']],
  ['NotebookRead', ['notebook_read']],
  ['NotebookEdit', ['notebook_edit']],
  ['Task', ['task']],
  ['Agent', ['task']],
  ['ExitPlanMode', ['exit_plan_mode']],
  ['SlashCommand', ['slash_command']],
  ['AskUserQuestion', ['ask_user_question']],
  ['ask_user', ['ask_user_question']],
  ['request_user_input', ['ask_user_question']],
  ['ask_followup_question', ['ask_user_question']],
])

/** The canonical name of a tool; a name that nobody else uses is its own. */
export function canonicalToolName(name: string): string {
  return TOOLS.get(name)?.[0] ?? name
}

/** Names of one tool elsewhere that is several of ours: the value of its argument `command` says which. */
const BY_COMMAND: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  ['str_replace_based_edit_tool', 'str_replace_editor'].map((name) => [
    name,
    { view: 'read_file', create: 'write_file', str_replace: 'edit_file', insert: 'edit_file' },
  ]),
)

/** All that a name may mean, where no tool of a session decides it. */
export function meantTools(name: string): readonly string[] {
  return TOOLS.get(name) ?? [...new Set(Object.values(BY_COMMAND.get(name) ?? [name]))]
}

/** By what other names a tool may be called. */
export function otherNamesOf(toolName: string): readonly string[] {
  const byCommand = [...BY_COMMAND].flatMap(([name, commands]) => (Object.values(commands).includes(toolName) ? [name] : []))
  return [...TOOLS].flatMap(([name, own]) => (own.includes(toolName) ? [name] : [])).concat(byCommand)
}

/** Whether a call by one of a tool's other names means that tool, given its arguments. */
export function isMeant(toolName: string, calledAs: string, args: Readonly<Record<string, unknown>>): boolean {
  const commands = BY_COMMAND.get(calledAs)
  if (!commands) return true
  const command = args['command']
  return typeof command === 'string' && Object.hasOwn(commands, command) && commands[command] === toolName
}
