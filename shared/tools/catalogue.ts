import type { JsonValue } from '../session/content.ts'
import { agentStepSpec } from './built-in/agent-step.ts'
import { applyPatchSpec } from './built-in/apply-patch.ts'
import { askUserQuestionSpec } from './built-in/ask-user-question.ts'
import { bashOutputSpec, killShellSpec } from './built-in/background-commands.ts'
import { bringInSpec } from './built-in/bring-in.ts'
import { deleteFileSpec, writeFileSpec } from './built-in/write-file.ts'
import { editFileSpec, multiEditSpec } from './built-in/edit-file.ts'
import { exitPlanModeSpec } from './built-in/exit-plan-mode.ts'
import { globSpec } from './built-in/glob.ts'
import { grepSpec } from './built-in/grep.ts'
import { listDirSpec } from './built-in/list-dir.ts'
import { notebookEditSpec, notebookReadSpec } from './built-in/notebook.ts'
import { readFileSpec, readManyFilesSpec } from './built-in/read-file.ts'
import { readOutputSpec } from './built-in/read-output.ts'
import { saveMemorySpec } from './built-in/save-memory.ts'
import { bashSpec, ShellDetails, shellSpec } from './built-in/shell.ts'
import { searchToolsSpec } from './built-in/search-tools.ts'
import { slashCommandSpec } from './built-in/slash-command.ts'
import { otherNamesOf, parsedAs, type ToolSpec } from './spec/tool-spec.ts'
import { type CallFacts, type CallLine, callLine, textOf } from './spec/call-line.ts'
import { closeAgentSpec, sendInputSpec, spawnAgentSpec, taskSpec, waitSpec } from './built-in/subagents.ts'
import { todoReadSpec, todoWriteSpec } from './built-in/todos.ts'
import { webFetchSpec, webSearchSpec } from './built-in/web.ts'

const byName = (specs: readonly ToolSpec[]): ReadonlyMap<string, ToolSpec> => new Map(specs.map((spec) => [spec.name, spec]))

/** Every built-in tool that works without a session, by its canonical name. */
export const TOOL_SPECS: ReadonlyMap<string, ToolSpec> = byName([
  readFileSpec,
  readManyFilesSpec,
  notebookReadSpec,
  writeFileSpec,
  editFileSpec,
  multiEditSpec,
  applyPatchSpec,
  deleteFileSpec,
  notebookEditSpec,
  // The spec of bash must come before that of shell. Both accept the name Bash, and in a session that has bash, the name means bash.
  bashSpec,
  shellSpec,
  bashOutputSpec,
  killShellSpec,
  readOutputSpec,
  todoWriteSpec,
  todoReadSpec,
  webFetchSpec,
  webSearchSpec,
  exitPlanModeSpec,
  grepSpec,
  globSpec,
  listDirSpec,
])

/** The tools that need a session: subagents, questions to the user, notes, slash commands, tools of MCP servers. */
const SESSION_SPECS = byName([
  taskSpec,
  spawnAgentSpec,
  sendInputSpec,
  waitSpec,
  closeAgentSpec,
  askUserQuestionSpec,
  saveMemorySpec,
  searchToolsSpec,
  slashCommandSpec,
  bringInSpec,
  agentStepSpec,
])

export const ALL_TOOLS: readonly ToolSpec[] = [...TOOL_SPECS.values(), ...SESSION_SPECS.values()]

const specOf = (toolName: string): ToolSpec | undefined => TOOL_SPECS.get(toolName) ?? SESSION_SPECS.get(toolName)

/** Tools that every model gets, after those of its family. */
export const OFFERED_TOOLS: readonly string[] = ALL_TOOLS.flatMap(({ name, isOffered }) => (isOffered ? [name] : []))

/** When to use a built-in tool, for the system prompt. Undefined if its description is enough, or for a tool of a host. */
export const useOf = (toolName: string): string | undefined => specOf(toolName)?.use

/** Tools without effects in the project. A subagent that only reads gets only these tools. */
export const READING_TOOLS: ReadonlySet<string> = new Set(ALL_TOOLS.flatMap(({ name, reads }) => (reads ? [name] : [])))

/** Tools whose results show the content of the project: its files, or the places where something occurs in them. */
export const LOOKING_TOOLS: ReadonlySet<string> = new Set(ALL_TOOLS.flatMap(({ name, reads }) => (reads === 'project' ? [name] : [])))

/** The verb of a call whose arguments are not known yet. For a tool that is not built in, this is its name. */
export function verbOf(toolName: string): string {
  return specOf(toolName)?.verb ?? toolName
}

/** The words for a call. They are the same in the desk, headless runs and reports. */
export function lineOf(call: CallFacts): CallLine {
  const spec = specOf(call.toolName)
  return spec ? spec.line(call, parsedAs(spec.details, call.details)) : lineOfUnknown(call)
}

/** The line of a tool that is not built in: its name and its first text argument. */
function lineOfUnknown({ toolName, args }: CallFacts): CallLine {
  const first = Object.values(args ?? {})
    .map(textOf)
    .find((text) => text !== '')
  return callLine('Call', toolName, first)
}

/** Whether a call runs a command line. Such a call has its own terminal if the machine has terminals. */
export function runsCommand({
  toolName,
  args,
}: {
  readonly toolName: string
  readonly args: { readonly [key: string]: JsonValue } | null
}): boolean {
  return specOf(toolName)?.runsCommand?.(args ?? {}) === true
}

/** The details of a call that ran a command. Null if it ran none or has not ended. */
export function commandDetails(call: CallFacts): ShellDetails | null {
  return runsCommand(call) ? parsedAs(ShellDetails, call.details) : null
}

/**
 * The canonical names of the tools that a name may mean, best match first. Case does not matter, because agents write both `Read` and
 * `read`. An unknown name is returned unchanged.
 */
export function meantTools(name: string): readonly string[] {
  const wanted = name.toLowerCase()
  const meant = ALL_TOOLS.filter((spec) => otherNamesOf(spec).some((other) => other.toLowerCase() === wanted)).map((spec) => spec.name)
  return meant.length > 0 && !specOf(name) ? meant : [name]
}
