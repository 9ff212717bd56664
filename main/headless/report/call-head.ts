import type { JsonValue } from '../../../shared/session/content.ts'
import type { DurableEvent, SessionEvent } from '../../../shared/session/events.ts'
import { verbOf } from '../../../shared/tools/catalogue.ts'

type Started = Extract<DurableEvent, { kind: 'TOOL_CALL_START' }>

/** What a call is called in a line: "Read src/a.ts", "Edit src/a.ts, src/b.ts", "Plan 2 of 5 done". */
export function callHead({ toolName, args }: Pick<Started, 'toolName' | 'args'>): string {
  return `${verbOf(toolName)} ${subject(toolName, args ?? {})}`
}

/**
 * Says of which call something is told where that is not plain from the line before: calls of one answer begin together and end in any order.
 */
export interface CallNames {
  /** The head to say first; null: the newest head shown is this call's, or the event is of no call. */
  before(event: SessionEvent): string | null
}

export function createCallNames(): CallNames {
  const heads = new Map<string, string>()
  let shown: string | null = null
  return {
    before(event) {
      if (!('toolCallId' in event) || event.kind === 'TOOL_EXECUTION_START' || event.kind === 'FILES_CHANGED') return null
      const isShown = shown === event.toolCallId
      shown = event.toolCallId
      if (event.kind === 'TOOL_CALL_START') {
        heads.set(event.toolCallId, callHead(event))
        return null
      }
      const head = heads.get(event.toolCallId) ?? null
      if (event.kind === 'TOOL_CALL_END') heads.delete(event.toolCallId)
      return isShown ? null : head
    },
  }
}

/** Arguments by which a person knows a call, best first. */
const NAMING = ['file_path', 'command', 'pattern', 'query', 'url', 'description', 'prompt', 'task', 'message', 'path', 'paths', 'id']

function subject(toolName: string, args: Readonly<Record<string, JsonValue>>): string {
  switch (toolName) {
    case 'list_dir':
      return firstLine(args['path']) || '.'
    case 'multi_edit':
      return names(listOf(args['edits']).map((edit) => firstLine(fieldOf(edit, 'file_path'))))
    case 'apply_patch':
      return names(patched(args['patch']))
    case 'todo_write':
      return progress(listOf(args['todos']))
    default:
      return NAMING.map((name) => named(args[name])).find((text) => text !== '') ?? ''
  }
}

const named = (value: JsonValue | undefined): string => (Array.isArray(value) ? names(value.map(firstLine)) : firstLine(value))

const firstLine = (value: JsonValue | undefined): string => (typeof value === 'string' ? (value.split('\n', 1)[0] ?? '') : '')

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : [])

const fieldOf = (value: JsonValue, name: string): JsonValue | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, JsonValue>)[name] : undefined

/** Names that are shown of several. */
const MOST_NAMES = 3

function names(all: readonly string[]): string {
  const each = [...new Set(all)].filter((name) => name !== '')
  const more = each.length - MOST_NAMES
  return more > 0 ? `${each.slice(0, MOST_NAMES).join(', ')} and ${more} more` : each.join(', ')
}

function patched(patch: JsonValue | undefined): readonly string[] {
  return typeof patch === 'string'
    ? [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gmu)].map(([, path = '']) => path.trim())
    : []
}

function progress(todos: readonly JsonValue[]): string {
  const done = todos.filter((todo) => fieldOf(todo, 'status') === 'completed').length
  return todos.length === 0 ? '' : `${done} of ${todos.length} done`
}
