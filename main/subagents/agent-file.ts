import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { APPROVAL_MODES } from '../../shared/session/settings/approval-mode.ts'
import { READING_TOOLS, TOOL_SPECS } from '../../shared/tools/catalogue.ts'
import type { AgentType } from '../agent/ports/subagents.ts'
import { readFrontMatter } from '../prompt/front-matter.ts'

export interface AgentFile {
  readonly type: AgentType
  /** Tools that the file names and that do not exist here; they are left out. */
  readonly unknownTools: readonly string[]
}

/**
 * Reads an agent type from a Markdown file: front matter with `name` (default: the file's), `description`, `tools` (by any name known here)
 * and `mode`, then its prompt. The agent is read-only unless its mode or one of its tools can write. `stem`: the file name without its
 * ending; `meant`: the canonical names of the tools that a name may stand for. A failure is a sentence.
 */
export async function readAgentFile(
  stem: string,
  text: string,
  meant: (name: string) => readonly string[],
): Promise<Result<AgentFile, string>> {
  const read = await readFrontMatter(text)
  if (!read.ok) return read
  const { fields, body } = read.value
  if (fields === null) return failed('It does not begin with front matter between two lines of ---.')
  const one = (name: string): string => {
    const value = fields[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const name = one('name') || stem
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    return failed(`"${name.slice(0, 80)}" is not a valid name: use lower-case letters, digits and hyphens, at most 40.`)
  const description = one('description')
  if (description === '') return failed('It has no description, which the main agent needs to choose it.')
  if (body === '') return failed('It has no instructions below the front matter.')
  const mode = APPROVAL_MODES.find((known) => known === one('mode')) ?? null
  if ('mode' in fields && mode === null)
    return failed(`There is no mode "${one('mode').slice(0, 80)}". Available modes: ${APPROVAL_MODES.join(', ')}.`)
  const named = toolsOf(fields['tools'])
  const tools = named?.flatMap(meant).filter((tool) => TOOL_SPECS.has(tool)) ?? null
  if (tools?.length === 0) return failed('None of its tools exist here.')
  const readsOnly = mode === 'plan' || (tools ? tools.every((tool) => READING_TOOLS.has(tool)) : mode === null && named === undefined)
  const unknownTools = (named ?? []).filter((tool) => !meant(tool).some((one) => TOOL_SPECS.has(one)))
  return ok({ type: { name, description, prompt: body, readsOnly, tools, mode }, unknownTools })
}

/** Undefined: none named; null: all, by `*`. */
function toolsOf(value: unknown): readonly string[] | null | undefined {
  if (value === undefined || value === '') return undefined
  const given: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value]
  const names = given.map((name) => String(name).trim()).filter((name) => name !== '')
  return names.includes('*') ? null : names
}
