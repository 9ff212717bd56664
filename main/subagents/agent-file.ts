import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { APPROVAL_MODES } from '../../shared/session/settings/approval-mode.ts'
import { TOOL_SPECS } from '../../shared/tools/catalogue.ts'
import type { AgentType } from '../agent/ports/subagents.ts'
import { READING_TOOLS } from './built-in-types.ts'
import { readFrontMatter } from './front-matter.ts'

export interface AgentFile {
  readonly type: AgentType
  /** Tools that it names and nobody knows; they are left out. */
  readonly unknownTools: readonly string[]
}

/**
 * A kind of subagent that a person or a project has written down: facts above (`name`, else the file's; `description`; `tools`, by any name
 * that we know them by; `mode`), its own part of the task below. It reads only, unless its mode or one of its tools says otherwise.
 * `stem`: the file's name without its ending; `meant`: the tools that a name may stand for, by their own. A failure is a sentence.
 */
export function readAgentFile(stem: string, text: string, meant: (name: string) => readonly string[]): Result<AgentFile, string> {
  const read = readFrontMatter(text)
  if (!read.ok) return read
  const { fields, body } = read.value
  const one = (name: string): string => {
    const value = fields.get(name) ?? ''
    return typeof value === 'string' ? value : ''
  }
  const name = one('name') || stem
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    return failed(`"${name.slice(0, 80)}" is no name: small letters, digits and hyphens, at most 40.`)
  const description = one('description')
  if (description === '') return failed('It has no description, by which the agent would choose it.')
  if (body === '') return failed('Below its facts there is nothing for the agent to go by.')
  const mode = APPROVAL_MODES.find((known) => known === one('mode')) ?? null
  if (fields.has('mode') && mode === null)
    return failed(`There is no mode "${one('mode').slice(0, 80)}". There is: ${APPROVAL_MODES.join(', ')}.`)
  const named = toolsOf(fields.get('tools'))
  const tools = named?.flatMap(meant).filter((tool) => TOOL_SPECS.has(tool)) ?? null
  if (tools?.length === 0) return failed('None of its tools is known here.')
  const readsOnly = mode === 'plan' || (tools ? tools.every((tool) => READING_TOOLS.has(tool)) : mode === null && named === undefined)
  const unknownTools = (named ?? []).filter((tool) => !meant(tool).some((one) => TOOL_SPECS.has(one)))
  return ok({ type: { name, description, prompt: body, readsOnly, tools, mode }, unknownTools })
}

/** Undefined: it names none; null: all, by `*`. */
function toolsOf(value: string | readonly string[] | undefined): readonly string[] | null | undefined {
  if (value === undefined || value === '') return undefined
  const names = (typeof value === 'string' ? value.split(',') : value).map((name) => name.trim()).filter((name) => name !== '')
  return names.includes('*') ? null : names
}
