import type { DeleteEffect, Effect, WriteEffect } from '../../../shared/session/effects.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { hashOf } from '../blob-hash.ts'
import { refreshRequests } from '../dispatch/dispatch.ts'
import type { DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { SessionRecord } from './session-record.ts'

/**
 * Cleans up a session that another process left, when it is taken over. Executes nothing and asks no model. A call that was running ends
 * as "interrupted, outcome unknown"; requests stay open as long as they still describe what would be done; an unfinished turn is
 * interrupted and waits for Resume. `parts` null: the session's folder cannot be used now.
 */
export async function recover(record: SessionRecord, parts: DispatchParts | null, signal: AbortSignal): Promise<void> {
  const { run, items, open } = record.state()
  if (run !== 'PROCESSING' && run !== 'AWAITING_INPUT') return
  const begun = items.filter(
    (item): item is CallItem => item.kind === 'call' && hasBegun(item) && item.startedAt !== null && open.includes(item.toolCallId),
  )
  const ends = await Promise.all(begun.map(async (item) => [...withdrawn(item), ...(await interrupted(item, parts))]))
  const [first, ...rest] = ends.flat()
  if (first) record.append(first, ...rest)
  for (const { toolCallId } of begun) parts?.traces.forget(toolCallId)
  if (parts && record.state().run === 'AWAITING_INPUT') await refreshRequests(record, parts, signal)
  if (record.state().run === 'PROCESSING') record.append({ kind: 'PROCESSING_END', reason: 'interrupted' })
}

const hasBegun = ({ status }: CallItem): boolean => status === 'running' || status === 'waiting'

/** Nobody is left who could use the answer to a request that was made while the call ran. */
function withdrawn({ toolCallId, status, approval }: CallItem): readonly DurableEvent[] {
  if (status !== 'waiting' || !approval) return []
  return [{ kind: 'APPROVAL_ANSWERED', approvalId: approval.approvalId, toolCallId, answer: { kind: 'withdrawn', why: 'stopped' } }]
}

/** For the model. People see only what the call wrote and what is on disk. */
const UNKNOWN = 'Interrupted: Countersign ended while this ran; the outcome is unknown.'

async function interrupted(item: CallItem, parts: DispatchParts | null): Promise<readonly DurableEvent[]> {
  const { toolCallId, toolName, runs, effects } = item
  const found = parts ? await Promise.all((runs ?? effects).filter(namesFile).map((effect) => findingOf(effect, parts))) : []
  const files = found.flatMap(({ change }) => change ?? [])
  const trace = parts?.traces.last(toolCallId) ?? null
  const tail = trace?.tail ? [trace.tail] : []
  const findings = found.map(({ words }) => words)
  return [
    ...(files.length > 0 ? [{ kind: 'FILES_CHANGED', toolCallId, files } as const] : []),
    {
      kind: 'TOOL_CALL_END',
      toolCallId,
      toolName,
      output: [...tail, ...findings].join('\n'),
      outputBlob: null,
      modelText: [UNKNOWN, ...tail.map((text) => `The last lines of its output:\n${text}`), ...findings].join('\n'),
      isError: true,
      outcome: 'interrupted',
      durationMs: trace && item.startedAt !== null ? Math.max(0, trace.atMs - item.startedAt) : null,
      details: null,
    },
  ]
}

type FileEffect = WriteEffect | DeleteEffect
const namesFile = (effect: Effect): effect is FileEffect => effect.kind === 'write' || effect.kind === 'delete'

interface Finding {
  readonly words: string
  readonly change: FileChange | null
}

/** What is on disk after a write that may or may not have happened. */
async function findingOf(effect: FileEffect, { env, blobs }: DispatchParts): Promise<Finding> {
  const { path, shown } = effect
  const signed = effect.kind === 'write' ? effect.after : null
  let bytes: Uint8Array | null
  let mode: number | null
  try {
    const stat = await env.stat(path)
    mode = stat && stat.mode & 0o7777
    bytes = stat && (await env.readBytes(path))
  } catch (error) {
    return { words: `${shown} cannot be read now: ${error instanceof Error ? error.message : String(error)}`, change: null }
  }
  const now = bytes && hashOf(bytes)
  if (now === effect.before && now !== signed) return { words: `${shown} is unchanged.`, change: null }
  if (bytes) blobs.put(bytes)
  const { before, beforeBytes } = effect
  const lines = effect.kind === 'write' && now === signed ? effect.lines : null
  const beforeMode = before === null ? null : mode
  const change = { path, shown, before, after: now, beforeBytes, afterBytes: bytes?.length ?? 0, beforeMode, afterMode: mode, lines }
  const words = now === signed ? `${shown} has the signed content.` : `${shown} has neither its earlier nor the signed content.`
  return { words, change }
}
