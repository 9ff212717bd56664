import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { counted } from '../../ui/format.ts'

/** What a request is, as a verb with its object: "Edit src/dates.ts", "Run a command", "Create 2 files". */
export function titleOf(call: CallItem): string {
  const writes = call.effects.filter((effect) => effect.kind === 'write')
  const deletes = call.effects.filter((effect) => effect.kind === 'delete')
  const files = [...new Set([...writes, ...deletes].map((one) => one.shown))]
  if (files.length > 0) return `${fileVerb(writes, deletes)} ${files.length === 1 ? files[0] : counted(files.length, 'file')}`
  if (call.effects.some((effect) => effect.kind === 'command'))
    return call.approval?.destructive ? 'Run a command that can destroy' : 'Run a command'
  if (call.effects.some((effect) => effect.kind === 'network')) return 'Reach the network'
  if (call.effects.some((effect) => effect.kind === 'read')) return 'Read outside the folder'
  return `Use ${call.toolName}`
}

function fileVerb(writes: readonly Extract<Effect, { kind: 'write' }>[], deletes: readonly Effect[]): string {
  if (writes.length === 0) return 'Delete'
  if (deletes.length > 0) return 'Change'
  return writes.every((write) => write.before === null) ? 'Create' : 'Edit'
}

/** What the signing button says. */
export function signWords(call: CallItem): string {
  const runs = call.effects.some((effect) => effect.kind === 'command')
  if (call.approval?.destructive) return runs ? 'Hold to sign and run' : 'Hold to sign'
  if (runs) return 'Sign and run'
  const writes = call.effects.filter((effect) => effect.kind === 'write' || effect.kind === 'delete')
  if (writes.length === 0) return 'Sign'
  if (writes.length > 1) return `Sign ${counted(writes.length, 'change')}`
  const [write] = writes
  if (write?.kind === 'delete') return 'Sign deletion'
  return write?.kind === 'write' && write.before === null ? 'Sign new file' : 'Sign edit'
}

/** Said by a screen reader when a request appears: "Edit src/dates.ts, 2 requests wait, Control J to answer". */
export function needWords(call: CallItem, pending: number): string {
  return `${titleOf(call)}${pending > 1 ? `, ${pending} requests wait` : ''}, Control J to answer`
}
