import type { EditFileInput } from '../../../shared/tools/edit-file.ts'
import type { GlobDetails } from '../../../shared/tools/glob.ts'
import type { GrepDetails } from '../../../shared/tools/grep.ts'
import type { ReadFileDetails } from '../../../shared/tools/read-file.ts'
import type { ShellDetails } from '../../../shared/tools/shell.ts'
import { verbOf } from '../../../shared/tools/catalogue.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { counted } from '../format.ts'

/** The words of a call's line: "Edit src/dates.ts", "Run npm test", "Search new Date in src". */
export interface CallWords {
  readonly verb: string
  readonly subject: string
  readonly rest: string
}

export function wordsOf(call: CallItem): CallWords {
  const text = (name: string): string => textOf(call.args?.[name])
  switch (call.toolName) {
    case 'read_file':
      return { verb: 'Read', subject: text('file_path'), rest: readRange(call) }
    case 'write_file':
    case 'edit_file':
      return { verb: call.effects.some(isCreation) ? 'Create' : verbOf(call.toolName), subject: shownPath(call), rest: '' }
    case 'shell':
      return { verb: 'Run', subject: text('command').trim(), rest: '' }
    case 'grep':
    case 'glob':
      return { verb: verbOf(call.toolName), subject: text('pattern'), rest: text('path') ? `in ${text('path')}` : '' }
    default:
      return {
        verb: verbOf(call.toolName),
        subject:
          Object.values(call.args ?? {})
            .map(textOf)
            .find(Boolean) ?? '',
        rest: '',
      }
  }
}

/** What came of a call, in a few words; empty while it runs. */
export function outcomeOf(call: CallItem): string {
  if (call.status === 'refused') return 'refused'
  if (call.status === 'barred') return 'barred'
  if (call.status === 'interrupted') return 'interrupted, outcome unknown'
  if (call.status === 'stopped') return call.startedAt === null ? 'not run' : 'stopped'
  if (call.status === 'waiting') return 'waits for you'
  if (call.endedAt === null) return ''
  if (call.toolName === 'grep') return grepOutcome(call)
  if (call.toolName === 'glob') return globOutcome(call)
  if (call.toolName === 'shell') return shellOutcome(call)
  return call.isError ? 'failed' : ''
}

export function shellDetails(call: CallItem): ShellDetails | null {
  return isRecord(call.details) && 'exitCode' in call.details ? (call.details as unknown as ShellDetails) : null
}

export function grepDetails(call: CallItem): GrepDetails | null {
  return isRecord(call.details) && 'hits' in call.details ? (call.details as unknown as GrepDetails) : null
}

export function globDetails(call: CallItem): GlobDetails | null {
  return isRecord(call.details) && 'paths' in call.details ? (call.details as unknown as GlobDetails) : null
}

function shellOutcome(call: CallItem): string {
  const details = shellDetails(call)
  if (!details) return call.isError ? 'failed' : ''
  if (details.timedOut) return 'time limit reached'
  return details.exitCode === null ? 'ended by a signal' : `exit ${details.exitCode}`
}

function grepOutcome(call: CallItem): string {
  const details = grepDetails(call)
  if (!details) return call.isError ? 'failed' : ''
  if (details.matches === 0) return 'nothing found'
  return `${details.matches}${details.capped ? ' or more' : ''} in ${counted(details.files, 'file')}`
}

function globOutcome(call: CallItem): string {
  const details = globDetails(call)
  return details ? counted(details.total, 'file') : call.isError ? 'failed' : ''
}

function readRange(call: CallItem): string {
  const details = isRecord(call.details) && 'totalLines' in call.details ? (call.details as unknown as ReadFileDetails) : null
  if (!details || details.lines === details.totalLines) return ''
  return `lines ${details.firstLine} to ${details.firstLine + details.lines - 1} of ${details.totalLines}`
}

function shownPath(call: CallItem): string {
  const effect = call.effects.find((one) => one.kind === 'write' || one.kind === 'delete')
  if (effect && 'shown' in effect) return effect.shown
  return textOf((call.args as Partial<EditFileInput> | null)?.file_path)
}

const isCreation = (effect: CallItem['effects'][number]): boolean => effect.kind === 'write' && effect.before === null

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const isRecord = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
