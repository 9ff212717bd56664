import { wordList } from '../../shared/lib/word-list.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { type Effort, EFFORTS } from '../../shared/session/settings/model-facts.ts'
import { readFrontMatter, readTomlFields } from '../prompt/front-matter.ts'
import type { SlashCommand } from './slash-command.ts'

export type CommandFormat = 'markdown' | 'codex-prompt' | 'gemini-toml' | 'skill'

/** Maximum number of characters of a description in lists and for models. */
const MAX_DESCRIPTION = 1024

/** Fields of the front matter that have an effect here or describe the file for people. */
const USED_FIELDS: ReadonlySet<string> = new Set(
  wordList(`
  name description when_to_use argument-hint arguments disable-model-invocation user-invocable context agent model effort license
  compatibility metadata version author
`),
)

/**
 * Reads one file. `name` is the name derived from the file's path. The failure is a sentence. `unusedFields` of the command lists fields
 * that have no effect here.
 */
export async function readCommandFile(
  file: Pick<SlashCommand, 'name' | 'from'> & { readonly path: string; readonly text: string },
  format: CommandFormat,
): Promise<Result<SlashCommand, string>> {
  return format === 'gemini-toml' ? readToml(file) : readMarkdown(file, format)
}

type CommandFile = Parameters<typeof readCommandFile>[0]

async function readMarkdown(
  { name: fileName, from, path, text }: CommandFile,
  format: 'markdown' | 'codex-prompt' | 'skill',
): Promise<Result<SlashCommand, string>> {
  const read = await readFrontMatter(text)
  if (!read.ok) return read
  const { body } = read.value
  const fields = read.value.fields ?? {}
  const one = (field: string): string => textOrEmpty(fields[field])
  const isSkill = format === 'skill'
  const name = (isSkill && one('name')) || fileName
  if (body === '') return failed(text.trim() === '' ? 'The file is empty.' : 'The file has no text below its front matter.')
  if (!/^[\p{L}\d][\p{L}\d_.:-]{0,99}$/u.test(name)) return failed(`"${name.slice(0, 80)}" is not a valid name.`)
  const whenToUse = one('when_to_use')
  const isOddEffort = one('effort') !== '' && effortNamed(one('effort')) === undefined
  const unusedFields = Object.keys(fields).filter((field) => !USED_FIELDS.has(field) || (field === 'effort' && isOddEffort))
  const description = [one('description') || firstLine(body), whenToUse].filter((part) => part !== '').join(' ')
  return ok({
    name,
    from,
    path,
    body,
    kind: isSkill ? 'skill' : 'command',
    syntax: format === 'codex-prompt' ? 'codex' : 'claude',
    description: description.slice(0, MAX_DESCRIPTION),
    hint: one('argument-hint'),
    argumentNames: namesIn(fields['arguments']),
    ...(one('context') === 'fork' && { agent: one('agent') }),
    ...answeringIn(one('model'), one('effort')),
    ...(unusedFields.length > 0 && { unusedFields }),
    forModel: one('disable-model-invocation') !== 'true',
    forPerson: one('user-invocable') !== 'false',
  })
}

/** Which model answers a call of the command, and with what effort. */
function answeringIn(model: string, given: string): Pick<SlashCommand, 'model' | 'effort'> {
  const effort = effortNamed(given)
  return { ...(model !== '' && model !== 'inherit' && { model }), ...(effort !== undefined && { effort }) }
}

const effortNamed = (name: string): Effort | undefined => EFFORTS.find((effort) => effort === name)

async function readToml({ name, from, path, text }: CommandFile): Promise<Result<SlashCommand, string>> {
  const read = await readTomlFields(text)
  if (!read.ok) return read
  const { prompt, description } = read.value
  if (typeof prompt !== 'string' || prompt.trim() === '') return failed('The file has no `prompt`.')
  const described = typeof description === 'string' ? description : firstLine(prompt)
  return ok({
    name,
    from,
    path,
    kind: 'command',
    syntax: 'gemini',
    body: prompt.trim(),
    description: described.slice(0, MAX_DESCRIPTION),
    hint: '',
    argumentNames: [],
    forModel: true,
    forPerson: true,
  })
}

function textOrEmpty(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return Array.isArray(value) ? value.map((part) => `[${String(part)}]`).join(' ') : ''
}

function namesIn(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\s,]+/u) : []
  return names.filter((name) => /^[A-Za-z_]\w*$/.test(name))
}

const firstLine = (text: string): string => (text.trimStart().split('\n', 1)[0] ?? '').replace(/^#+\s*/, '').trim()
