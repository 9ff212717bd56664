import { wordList } from '../../shared/lib/word-list.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { APPROVAL_MODES } from '../../shared/session/settings/approval-mode.ts'
import { READING_TOOLS, TOOL_SPECS } from '../../shared/tools/catalogue.ts'
import type { AgentType } from '../agent/ports/subagents.ts'
import { type FrontMatter, readFrontMatter, readTomlFields } from '../prompt/front-matter.ts'

/**
 * `claude` and `codex` are the formats of Claude Code and Codex, in which an agent that lists no tools has all tools. `own` is our
 * format, in which such an agent only reads.
 */
export type AgentFormat = 'own' | 'claude' | 'codex'

export interface AgentFile {
  readonly type: AgentType
  /** Fields that have no effect here. */
  readonly unusedFields: readonly string[]
  /** Tools that the file lists but that do not exist here. They are left out. */
  readonly unknownTools: readonly string[]
}

/**
 * Reads an agent type from a Markdown file: front matter with `name` (default: `stem`), `description`, `tools` and `disallowedTools`
 * (resolved by `meant`), `model` and `mode` or `permissionMode`, then its prompt. The agent is read-only unless its mode or one of its
 * tools can write. Codex's files are TOML with `developer_instructions`. `stem` is the file name without extension. `meant` returns the
 * canonical names of the tools that a name may mean. The failure is a sentence.
 */
export async function readAgentFile(
  stem: string,
  text: string,
  meant: (name: string) => readonly string[],
  format: AgentFormat = 'own',
): Promise<Result<AgentFile, string>> {
  const read = await (format === 'codex' ? readToml(text) : readFrontMatter(text))
  if (!read.ok) return read
  const { fields, body } = read.value
  if (fields === null) return failed('The file does not begin with front matter between two lines of ---.')
  const one = (name: string): string => {
    const value = fields[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const named = one('name') || stem
  const name = format !== 'own' ? named.toLowerCase().replaceAll(/[\s_]+/g, '-') : named
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    return failed(`"${name.slice(0, 80)}" is not a valid name: use lower-case letters, digits and hyphens, at most 40.`)
  const description = one('description')
  if (description === '') return failed('The file has no description, which the main agent needs to choose this agent.')
  if (body === '') return failed('The file has no instructions for the agent.')
  const given = one('mode') || one('permissionMode')
  const mode = APPROVAL_MODES.find((known) => known === (FOREIGN_MODES.get(given) ?? given)) ?? null
  if (given !== '' && given !== 'default' && mode === null)
    return failed(`There is no mode "${given.slice(0, 80)}". Available modes: ${APPROVAL_MODES.join(', ')}.`)
  const { tools, excludedTools, isLimited, unknownTools } = toolsIn(fields, meant)
  if (tools?.length === 0)
    return failed(
      `None of its tools can be used${unknownTools.length > 0 ? `: there is no ${unknownTools.join(', ').slice(0, 200)}` : ''}. ${KNOWN_TOOLS}`,
    )
  const readsAll = tools ? tools.every((tool) => READING_TOOLS.has(tool)) : format === 'own' && mode === null && !isLimited
  const model = one('model')
  const exclusions = excludedTools.length > 0 && { excludedTools }
  const type = { name, description, prompt: body, readsOnly: mode === 'plan' || readsAll, tools, ...exclusions, mode }
  const unusedFields = Object.keys(fields).filter((field) => !USED_FIELDS.has(field))
  return ok({ type: { ...type, ...(model !== '' && model !== 'inherit' && { model }) }, unusedFields, unknownTools })
}

/** Renames Codex's fields to the names of the other formats. An agent with a read-only sandbox becomes an agent in `plan` mode. */
async function readToml(text: string): Promise<Result<FrontMatter, string>> {
  const read = await readTomlFields(text)
  if (!read.ok) return read
  const { developer_instructions: body, sandbox_mode: sandbox, ...fields } = read.value
  return ok({
    fields: { ...fields, ...(sandbox === 'read-only' && { mode: 'plan' }) },
    body: typeof body === 'string' ? body.trim() : '',
  })
}

const KNOWN_TOOLS = `Tools that only read: ${[...READING_TOOLS].join(', ')}. Names of other agents, such as Read and Bash, work too.`

/** Claude Code's names for modes. In Claude Code, `dontAsk` refuses calls that need approval; here the user is asked. */
const FOREIGN_MODES = new Map([
  ['acceptEdits', 'accept-edits'],
  ['bypassPermissions', 'full'],
  ['dontAsk', 'ask'],
])

/** `color` is included because it only affects a list in other agents, so ignoring it loses nothing. */
const USED_FIELDS: ReadonlySet<string> = new Set(wordList('name description tools disallowedTools model mode permissionMode color'))

interface NamedTools {
  /** Canonical names of tools; null for all tools but the excluded ones. */
  readonly tools: readonly string[] | null
  readonly excludedTools: readonly string[]
  /** Whether the file says which tools the agent has, or which it does not have. */
  readonly isLimited: boolean
  readonly unknownTools: readonly string[]
}

function toolsIn(fields: Readonly<Record<string, unknown>>, meant: (name: string) => readonly string[]): NamedTools {
  const named = toolsOf(fields['tools'])
  const excluded = toolsOf(fields['disallowedTools']) ?? []
  // Names of MCP tools are not checked, because the tools of a server are known only once it runs.
  const known = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => (name.startsWith('mcp__') ? [name] : meant(name).filter((tool) => TOOL_SPECS.has(tool))))
  const excludedTools = known(excluded)
  return {
    tools: named ? known(named).filter((tool) => !excludedTools.includes(tool)) : null,
    excludedTools,
    isLimited: named !== undefined || excludedTools.length > 0,
    unknownTools: [...(named ?? []), ...excluded].filter((tool) => known([tool]).length === 0),
  }
}

/** Undefined if no tools are listed. Null if all tools are listed with `*`. */
function toolsOf(value: unknown): readonly string[] | null | undefined {
  if (value === undefined || value === '') return undefined
  const given: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value]
  const names = given.map((name) => String(name).trim()).filter((name) => name !== '')
  return names.includes('*') ? null : names
}
