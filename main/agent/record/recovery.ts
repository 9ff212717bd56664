import { Buffer } from 'node:buffer'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { refreshRequests } from '../dispatch/dispatch.ts'
import type { DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { SessionRecord } from './session-record.ts'

/**
 * Cleans up a session that another process left, when this process takes it over. Executes nothing and sends nothing to a model. A call
 * that was running ends as "interrupted, outcome unknown". Requests stay open as long as they still describe what would be done. An
 * unfinished turn is interrupted and waits for Resume. `parts` is null if the session's folder cannot be used now.
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

/** The running call that made the request is gone, so an answer is useless. */
function withdrawn({ toolCallId, status, approval }: CallItem): readonly DurableEvent[] {
  if (status !== 'waiting' || !approval) return []
  return [{ kind: 'APPROVAL_ANSWERED', approvalId: approval.approvalId, toolCallId, answer: { kind: 'withdrawn', why: 'stopped' } }]
}

/** Text for the model. People see only what the call wrote and what is on disk. */
const UNKNOWN = 'Interrupted: Countersign ended while this ran; the outcome is unknown.'

async function interrupted(item: CallItem, parts: DispatchParts | null): Promise<readonly DurableEvent[]> {
  const { toolCallId, toolName, runs, effects } = item
  const found = parts ? await mapAtOnce(placesOf(runs ?? effects, parts), AT_ONCE, (place) => findingOf(place, parts)) : []
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

type FileEffect = Extract<Effect, { readonly kind: 'write' | 'delete' | 'link' }>
const namesFile = (effect: Effect): effect is FileEffect => effect.kind === 'write' || effect.kind === 'delete' || effect.kind === 'link'

/** A regular file or a link. For a link, `hash` is the hash of its target. Null if there is neither. */
type Content = { readonly hash: BlobHash; readonly bytes: number; readonly kind?: 'link' } | null

/**
 * The state of a path before a step, and the state that the step was to give it. If a file replaces a link, the step has two effects on the
 * path.
 */
interface Place {
  readonly path: string
  readonly shown: string
  readonly before: Content
  readonly signed: Content
  readonly lines: FileChange['lines']
  /** Permission bits. Undefined if the step did not change them. */
  readonly modeBefore: number | undefined
  /**
   * Whether the step changed the entry at the path itself. A command in a copy changes a link itself, but a tool changes the file to
   * which the link leads.
   */
  readonly isEntry: boolean
}

/** Number of places that are read at the same time. Each read waits for the disk most of the time. */
const AT_ONCE = 16

function placesOf(effects: readonly Effect[], { blobs }: Pick<DispatchParts, 'blobs'>): readonly Place[] {
  const isEntry = effects.some(({ kind }) => kind === 'command')
  const modes = new Map(effects.flatMap((effect) => (effect.kind === 'permissions' ? [[effect.path, effect.before]] : [])))
  const byPath = Map.groupBy(effects.filter(namesFile), ({ path }) => path)
  return [...byPath].map(([path, own]) => {
    const sides = own.map((effect) => sidesOf(effect, blobs))
    return {
      path,
      shown: own[0]?.shown ?? path,
      before: sides.find(({ before }) => before !== null)?.before ?? null,
      signed: sides.find(({ signed }) => signed !== null)?.signed ?? null,
      lines: own.find((effect) => effect.kind === 'write')?.lines ?? null,
      modeBefore: modes.get(path),
      isEntry,
    }
  })
}

function sidesOf(effect: FileEffect, blobs: Pick<BlobStore, 'put'>): Pick<Place, 'before' | 'signed'> {
  if (effect.kind === 'link') return { before: linkTo(effect.before, blobs), signed: linkTo(effect.after, blobs) }
  const { before, beforeBytes } = effect
  return {
    before: before && { hash: before, bytes: beforeBytes },
    signed: effect.kind === 'write' ? { hash: effect.after, bytes: effect.afterBytes } : null,
  }
}

function linkTo(target: string | null, blobs: Pick<BlobStore, 'put'>): Content {
  if (target === null) return null
  const bytes = Buffer.from(target)
  return { hash: blobs.put(bytes), bytes: bytes.length, kind: 'link' }
}

const isSame = (a: Content, b: Content): boolean => a?.hash === b?.hash && a?.kind === b?.kind

interface Finding {
  readonly words: string
  readonly change: FileChange | null
}

/** Finds out what is on disk after a write that may or may not have happened. */
async function findingOf(place: Place, parts: DispatchParts): Promise<Finding> {
  const { path, shown, before, signed, lines, modeBefore } = place
  let now: Awaited<ReturnType<typeof contentNow>>
  try {
    now = await contentNow(place, parts)
  } catch (error) {
    return { words: `${shown} cannot be read now: ${error instanceof Error ? error.message : String(error)}`, change: null }
  }
  const isAsSigned = isSame(now.content, signed)
  const { content, mode } = now
  if (isSame(content, before) && !isAsSigned) return { words: `${shown} is unchanged.`, change: null }
  const words = isAsSigned ? `${shown} has the signed content.` : `${shown} has neither its earlier nor the signed content.`
  // Somebody else may have changed the file after the process ended. An undo must not take that for the work of the step.
  const left = isAsSigned || (await isHalfWritten(content, place, parts)) ? content : signed
  if (isSame(left, before) && !isAsSigned) return { words, change: null }
  const change: FileChange = {
    path,
    shown,
    before: before?.hash ?? null,
    after: left?.hash ?? null,
    beforeBytes: before?.bytes ?? 0,
    afterBytes: left?.bytes ?? 0,
    lines: isSame(left, signed) ? lines : null,
    beforeMode: before && !before.kind ? (modeBefore ?? mode) : null,
    afterMode: left === content ? mode : null,
    ...(before?.kind && { beforeKind: before.kind }),
    ...(left?.kind && { afterKind: left.kind }),
  }
  return { words, change }
}

/**
 * Whether a write in place that ended halfway can have left this content: the signed bytes up to some point, and the earlier bytes from
 * there on.
 */
async function isHalfWritten(now: Content, { before, signed }: Place, { blobs }: DispatchParts): Promise<boolean> {
  if (now === null || before === null || signed === null || now.kind || before.kind || signed.kind) return false
  if (!blobs.has(before.hash) || !blobs.has(signed.hash)) return false
  const bytesOf = async ({ hash }: NonNullable<Content>): Promise<Buffer> => Buffer.from(await blobs.getInSlices(hash))
  const [is, was, wanted] = await Promise.all([bytesOf(now), bytesOf(before), bytesOf(signed)])
  const written = sharedLength(is, wanted)
  return is.length === Math.max(written, was.length) && is.subarray(written).equals(was.subarray(written))
}

/** Number of bytes at the beginning that are equal. */
function sharedLength(a: Buffer, b: Buffer): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.subarray(at, at + PIECE).equals(b.subarray(at, at + PIECE))) at += PIECE
  while (at < end && a[at] === b[at]) at++
  return Math.min(at, end)
}

/** Number of bytes that are compared at once. */
const PIECE = 64 * 1024

/** Reads the entry that is at the place now, and stores its bytes. */
async function contentNow({ path, isEntry }: Place, { env, blobs }: DispatchParts): Promise<{ content: Content; mode: number | null }> {
  const stat = await (isEntry ? env.lstat(path) : env.stat(path))
  if (stat === null) return { content: null, mode: null }
  if (stat.kind === 'symlink') return { content: linkTo(await env.readlink(path), blobs), mode: null }
  const bytes = await env.readBytes(path)
  return { content: { hash: blobs.put(bytes), bytes: bytes.length }, mode: stat.mode & 0o7777 }
}
