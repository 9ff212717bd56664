import type { CommandLimits } from '../agent/ports/tool.ts'
import type { ToldTools } from './prompt-sections.ts'

/** When to use each tool, by canonical name. The tool's definition says what it does and returns. */
const USES: Readonly<Record<string, string | ((tools: ToldTools) => string)>> = {
  read_file: 'In a long file, read only the part you need.',
  read_many_files: 'Use it to read several files in one call.',
  edit_file: 'The default way to change an existing file.',
  multi_edit: 'Use it for changes that only make sense together.',
  apply_patch: 'The default way to change, move and delete files.',
  write_file: 'Use it for a new file, or if nearly all of a file changes.',
  delete_file: 'Use it instead of a command to delete a file.',
  notebook_read: 'Use it to look at Jupyter notebooks.',
  notebook_edit: 'Use it to change notebook cells.',
  shell: ({ limits }) =>
    `The default way to run a command, such as a test, a build or git. Read, search and edit files with the other tools. ${timeLimits(limits)} Start programs that do not end by themselves, such as servers, in the background.`,
  bash: 'Use it only if commands depend on each other, for example in an activated environment.',
  bash_output: 'Use it to follow a background command.',
  kill_shell: 'Stop what you started in the background once you no longer need it.',
  read_output: 'Use it if a result says that it was truncated.',
  grep: 'Use it to find where something is defined or used. Search instead of guessing.',
  glob: 'Use it if you know part of a file name or path.',
  list_dir: 'Use it to see how a folder is organized.',
  todo_write: 'Use it for work of three or more steps. Mark a step in_progress when you start it and completed as soon as it is done.',
  todo_read: 'Use it if you lost track of the list.',
  web_fetch: 'Use it for pages that the developer or an earlier result named.',
  web_search: 'Use it for facts that the project cannot tell you, such as a current version.',
  exit_plan_mode: 'Use it in plan mode, once your plan is complete.',
  task: 'Use it if you need the report before you continue.',
  spawn_agent: 'Use it if you can continue while the subagent works.',
  send_input: 'Use it to correct or extend the task of a spawned subagent.',
  wait: 'Use it to get the report of a spawned subagent.',
  close_agent: 'Use it if a spawned subagent is no longer needed.',
}

/** One line per built-in tool of the session. A tool that a host added has no line, because its definition is enough. */
export function toolUseLines(names: readonly string[], tools: ToldTools): readonly string[] {
  return names.flatMap((canonical) => {
    const use = Object.hasOwn(USES, canonical) ? USES[canonical] : undefined
    if (use === undefined) return []
    return [`- ${tools.name(canonical)}: ${typeof use === 'string' ? use : use(tools)}`]
  })
}

function timeLimits({ sessionCommandMs, defaultCommandMs, longCommandMs = 0 }: CommandLimits): string {
  const defaultMs = sessionCommandMs ?? defaultCommandMs
  const long = sessionCommandMs ?? Math.max(defaultCommandMs, longCommandMs)
  const more = long > defaultMs ? `, a test, build or install after ${duration(long)}` : ''
  return `A command is stopped after ${duration(defaultMs)}${more}; set timeout_ms if it needs longer.`
}

function duration(ms: number): string {
  const seconds = ms / 1000
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}
