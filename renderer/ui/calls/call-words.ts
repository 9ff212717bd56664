import { TOOL_SPECS, verbOf } from '../../../shared/tools/catalogue.ts'
import type { ReadFileDetails } from '../../../shared/tools/read-file.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { touchedFiles } from '../../../shared/session/touched-files.ts'
import { counted } from '../format.ts'
import { backgroundOf, bashOutputDetails, readManyDetails, runsCommand, webFetchDetails } from './call-details.ts'
import { patchedFiles } from './patched-files.ts'

/** The words of a call's line: "Edit src/dates.ts", "Run npm test", "Search new Date in src". */
export interface CallWords {
  readonly verb: string
  readonly subject: string
  readonly rest: string
}

export function wordsOf(call: CallItem): CallWords {
  const text = (name: string): string => textOf(call.args?.[name])
  const words = (subject: string, rest = ''): CallWords => ({ verb: verbOf(call.toolName), subject, rest })
  if (runsCommand(call)) return { verb: 'Run', subject: text('command').trim(), rest: asNamed(backgroundOf(call)) }
  switch (call.toolName) {
    case 'read_file':
      return words(text('file_path'), readRange(call))
    case 'read_many_files':
      return readMany(call)
    case 'notebook_read':
      return words(text('file_path'), cellOf(call))
    case 'write_file':
    case 'edit_file':
    case 'multi_edit':
    case 'apply_patch':
    case 'delete_file':
    case 'save_memory':
      return fileWords(call, filesNamed(call), '')
    case 'notebook_edit':
      return fileWords(call, filesNamed(call), cellOf(call))
    case 'grep':
      return words(text('pattern'), searchScope(call))
    case 'glob':
      return words(text('pattern'), text('path') ? `in ${text('path')}` : '')
    case 'web_search':
      return words(text('query'), 'on the web')
    case 'web_fetch':
      return words(text('url'), webFetchDetails(call)?.title ?? '')
    case 'list_dir':
      return words(text('path') || '.')
    case 'bash_output':
      return words(
        bashOutputDetails(call)?.id ?? text('id'),
        bashOutputDetails(call)?.command ?? (text('id') ? '' : 'of the newest command'),
      )
    case 'kill_shell':
      return words(text('id'), text('id') ? 'in the background' : 'the shell of this session')
    case 'exit_plan_mode':
      return words('', 'a plan')
    case 'ask_user_question':
      return words('', 'a question')
    case 'read_output':
      return { verb: 'Read', subject: text('pattern'), rest: text('pattern') ? 'in an earlier output' : 'more of an earlier output' }
    case 'todo_write':
      return words('', todoProgress(call))
    case 'todo_read':
      return words('', 'looked at again')
    default:
      return TOOL_SPECS.has(call.toolName) ? words(firstText(call)) : { verb: 'Call', subject: call.toolName, rest: firstText(call) }
  }
}

function fileWords(call: CallItem, named: readonly string[], rest: string): CallWords {
  const touched = touchedFiles(call.effects)
  const [first = '', ...more] = [...new Set(touched.length > 0 ? touched.map(({ shown }) => shown) : named)]
  const others = more.length === 0 ? movedFrom(touched) : `and ${more.length} more`
  return { verb: fileVerb(call), subject: first, rest: [others, rest].filter((part) => part !== '').join(' ') }
}

function movedFrom([only]: ReturnType<typeof touchedFiles>): string {
  return only?.kind === 'write' && only.movedFrom ? `from ${only.movedFrom.shown}` : ''
}

function fileVerb({ toolName, effects }: CallItem): string {
  const writes = touchedFiles(effects)
  if (writes.length > 0 && writes.every((effect) => effect.kind === 'write' && effect.movedFrom)) return 'Move'
  if (writes.length > 0 && writes.every((effect) => effect.kind === 'write' && effect.before === null && !effect.movedFrom)) return 'Create'
  if (writes.length > 0 && writes.every((effect) => effect.kind === 'delete')) return 'Delete'
  return toolName === 'apply_patch' ? 'Edit' : verbOf(toolName)
}

/** The files that a call names, before anybody knows what becomes of them. */
function filesNamed({ toolName, args }: CallItem): readonly string[] {
  if (toolName === 'apply_patch') return patchedFiles(textOf(args?.['patch']))
  if (toolName !== 'multi_edit') return [textOf(args?.['file_path'])]
  const edits = args?.['edits']
  return Array.isArray(edits) ? edits.map((edit: JsonValue) => (isRecord(edit) ? textOf(edit['file_path']) : '')) : []
}

function readMany(call: CallItem): CallWords {
  const details = readManyDetails(call)
  const named = call.args?.['paths']
  const paths = details?.read ?? (Array.isArray(named) ? named.map((path: JsonValue) => textOf(path)) : [])
  const [only = ''] = paths
  const left = details !== null && details.left.length > 0 ? `, ${details.left.length} left out` : ''
  if (paths.length === 1) return { verb: 'Read', subject: only, rest: left.slice(2) }
  const names = paths.map((path) => path.split('/').at(-1)).join(', ')
  return { verb: details ? `Read ${counted(paths.length, 'file')}` : 'Read', subject: '', rest: `${names}${left}` }
}

const asNamed = (name: string | null): string => (name === null ? '' : `as ${name}`)

/** Where and how it is searched: "in src, *.ts only, files". */
function searchScope({ args }: CallItem): string {
  const [path, include, mode] = ['path', 'include', 'output_mode'].map((name) => textOf(args?.[name]))
  const how = mode === 'files_with_matches' ? 'which files' : mode === 'count' ? 'how often in each file' : ''
  return [path ? `in ${path}` : '', include ? `only ${include}` : '', how].filter((part) => part !== '').join(', ')
}

function cellOf({ args }: CallItem): string {
  const cell = args?.['cell_idx']
  return typeof cell === 'number' || typeof cell === 'string' ? `cell ${cell}` : ''
}

function todoProgress({ args }: CallItem): string {
  const todos = args?.['todos']
  if (!Array.isArray(todos)) return ''
  const done = todos.filter((todo: JsonValue) => isRecord(todo) && todo['status'] === 'completed').length
  return `${done} of ${todos.length} done`
}

function readRange(call: CallItem): string {
  const details = isRecord(call.details) && 'totalLines' in call.details ? (call.details as unknown as ReadFileDetails) : null
  if (!details) return ''
  // what has no lines and was read all the same is shown to the model as it is
  if (details.totalLines === 0 && /\.(?:png|jpe?g|gif|webp)$/iu.test(details.path)) return 'as an image'
  if (details.lines === details.totalLines) return ''
  return `lines ${details.firstLine} to ${details.firstLine + details.lines - 1} of ${details.totalLines}`
}

/** Of a tool that we know nothing about: the first words that it was given. */
function firstText(call: CallItem): string {
  return (
    Object.values(call.args ?? {})
      .map(textOf)
      .find(Boolean) ?? ''
  )
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const isRecord = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
