import { isObject } from '../../../shared/lib/json.ts'
import { Buffer } from 'node:buffer'
import { type BlobHash, freeId, newId, type SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import {
  addUsage,
  type ContentPart,
  type JsonValue,
  NO_USAGE,
  type ProviderId,
  type ToolCallPart,
  type Usage,
} from '../../../shared/session/content.ts'
import type { DurableEvent, ParentLink } from '../../../shared/session/events.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import { meantTools } from '../../../shared/tools/catalogue.ts'
import { hashOf } from '../../agent/blob-hash.ts'
import { LargeMap } from './large-map.ts'
import { foreignNote, type PastEvent, type PastSession, unknownLine } from './transcript.ts'

/**
 * Maximum size in bytes of an output that an event contains completely, and the number of characters that it contains from each end of a
 * longer output.
 */
const MAX_INLINE = 65_536
const SHOWN_CHARS = 16_000

interface Start {
  readonly cwd: string
  readonly provider: ProviderId
  readonly model: string
}

/** Builds the log of a session that another program ran. */
export class ForeignSessionLog {
  /** How often each id was used for a call, so that many calls with the same id take little time. */
  private readonly uses = new LargeMap<string, number>()
  private readonly events: PastEvent[] = []
  private start: Start = { cwd: '', provider: 'anthropic', model: '' }
  private parent: ParentLink | null = null
  private isTurnOpen = false
  private last = 0
  private total: Usage = NO_USAGE
  private readonly open = new Map<string, { readonly toolCallId: ToolCallId; readonly toolName: string }>()
  private readonly ids = new LargeMap<string, true>()
  /** The newest call with each id of the other program. */
  private readonly calls = new LargeMap<string, ToolCallId>()

  readonly id: string
  private readonly blobs: Map<BlobHash, Uint8Array>

  constructor(id: string, blobs: Map<BlobHash, Uint8Array>) {
    this.id = id
    this.blobs = blobs
  }

  get folder(): string {
    return this.start.cwd
  }

  /** The newest call without a result. */
  newestOpen(): ToolCallId | null {
    return [...this.open.values()].at(-1)?.toolCallId ?? null
  }

  /** Our id of a call, whether it is open or has ended. Null if this session has no such call. */
  callOf(callId: string): ToolCallId | null {
    return this.calls.get(callId) ?? null
  }

  describe(facts: Partial<Start>, link?: ParentLink): void {
    this.start = { ...this.start, ...facts }
    this.parent = link ?? this.parent
  }

  prompt(at: number, text: string): void {
    this.endTurn()
    this.put(at, { kind: 'USER_INPUT', inputId: newId('in'), text, delivery: 'prompt' })
    this.isTurnOpen = true
  }

  answer(at: number, model: string, parts: readonly ContentPart[], usage: Usage = NO_USAGE): void {
    if (parts.length === 0) return
    this.isTurnOpen = true
    const renamed = parts.map((part) => (part.kind === 'tool_call' ? { ...part, toolCallId: this.newCall(part) } : part))
    const calls = renamed.filter((part) => part.kind === 'tool_call')
    const stopReason = calls.length > 0 ? 'tool_calls' : 'stop'
    this.put(at, {
      kind: 'ASSISTANT_TURN',
      provider: this.start.provider,
      model: model || this.start.model,
      parts: renamed,
      stopReason,
      responseId: null,
      usage,
      complete: true,
    })
    if (usage !== NO_USAGE) this.used(at, usage)
    for (const { toolCallId, toolName, argsText } of calls)
      this.put(at, { kind: 'TOOL_CALL_START', toolCallId, toolName, args: objectIn(argsText) })
  }

  /** Records how many tokens the newest answer used. */
  used(at: number, usage: Usage): void {
    this.total = addUsage(this.total, usage)
    this.put(at, { kind: 'USAGE', turn: usage, total: this.total, costUsd: null })
  }

  /** Adds the result of an open call. `callId` is the other program's id. Returns false if there is no such open call. */
  result(callId: string, output: string, { isError = false, at = this.last, outcome }: CallFate = {}): boolean {
    const called = this.open.get(callId)
    if (!called) return false
    this.open.delete(callId)
    const bytes = Buffer.from(output)
    const isLong = bytes.length > MAX_INLINE
    const hash = isLong ? hashOf(bytes) : null
    if (hash) this.blobs.set(hash, bytes)
    this.put(at, {
      kind: 'TOOL_CALL_END',
      ...called,
      isError,
      outcome: outcome ?? (isError ? 'failed' : 'done'),
      output: isLong ? `${output.slice(0, SHOWN_CHARS)}\n…\n${output.slice(-SHOWN_CHARS)}` : output,
      outputBlob: hash && { hash, bytes: bytes.length },
      modelText: null,
      durationMs: null,
      details: null,
    })
    return true
  }

  /** Adds a file that an open call changed. A version is null if the file did not exist. */
  changed(callId: string, path: string, before: string | null, after: string): void {
    const called = this.open.get(callId)
    if (!called) return
    const files = [fileChange(path, this.folder, before, after, this.blobs)]
    this.put(this.last, { kind: 'FILES_CHANGED', toolCallId: called.toolCallId, files })
  }

  renamed(at: number, name: string): void {
    this.put(at, { kind: 'SESSION_RENAMED', name })
  }

  note(at: number, what: string, text: string): void {
    this.put(at, foreignNote(what, text))
  }

  unknown(at: number, raw: string): void {
    this.put(at, unknownLine(raw))
  }

  /** Returns a mark: the number of events so far. `backTo` removes the conversation after a mark and returns how many events it removed. */
  mark(): number {
    return this.events.length
  }

  backTo(mark: number): number {
    // Only the events after the mark are touched, so that many abandoned branches at the end of a long transcript take little time.
    const after = this.events.splice(mark)
    this.isTurnOpen = mark > 0 && this.events.at(-1)?.event.kind !== 'PROCESSING_END'
    // Renames of the session are kept, and so are notes and lines that were not understood, because none of these are part of the
    // conversation.
    const kept = after.filter(({ event }) => event.kind === 'SESSION_RENAMED' || event.kind === 'WARNING')
    for (const past of kept) this.events.push(past)
    this.open.clear()
    return after.length - kept.length
  }

  /** Ends the log. Nothing can be added afterwards. */
  end(): PastSession {
    this.endTurn()
    const at = this.events[0]?.at ?? 0
    const config = { mode: 'ask', effort: null, baseUrl: null } as const
    const link = this.parent && { parent: this.parent }
    const first: DurableEvent = { kind: 'SESSION_START', sessionId: this.id as SessionId, ...this.start, ...config, ...link }
    // A copy of 600,000 events would block for 70 ms.
    this.events.unshift({ at, seq: 0, event: first })
    return { id: this.id, events: this.events }
  }

  private put(at: number, event: DurableEvent): void {
    this.last = at || this.last
    this.events.push({ at: this.last, seq: 0, event })
  }

  private endTurn(): void {
    for (const callId of this.open.keys())
      this.result(callId, 'The transcript has no result for this call.', { isError: true, outcome: 'interrupted' })
    if (this.isTurnOpen) this.put(this.last, { kind: 'PROCESSING_END', reason: 'completed', asks: false })
    this.isTurnOpen = false
  }

  /** Records the call under the other program's id, and gives it an id that is free here. */
  private newCall({ toolCallId, toolName }: ToolCallPart): ToolCallId {
    const wanted = toolCallId.slice(0, 180)
    const uses = (this.uses.get(wanted) ?? 0) + 1
    this.uses.set(wanted, uses)
    const free = ToolCallId.parse(freeId(wanted, (id) => this.ids.has(id), uses))
    this.ids.set(free, true)
    this.open.set(toolCallId, { toolCallId: free, toolName })
    this.calls.set(toolCallId, free)
    return free
  }
}

interface CallFate {
  readonly isError?: boolean
  readonly at?: number
  readonly outcome?: Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>['outcome']
}

function objectIn(text: string): { readonly [key: string]: JsonValue } | null {
  try {
    const value = JSON.parse(text) as JsonValue
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function fileChange(path: string, cwd: string, before: string | null, after: string, blobs: Map<BlobHash, Uint8Array>): FileChange {
  const stored = (text: string): BlobHash => {
    const bytes = Buffer.from(text)
    const hash = hashOf(bytes)
    blobs.set(hash, bytes)
    return hash
  }
  return {
    path,
    shown: path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path,
    before: before === null ? null : stored(before),
    after: stored(after),
    beforeBytes: before === null ? 0 : Buffer.byteLength(before),
    afterBytes: Buffer.byteLength(after),
    beforeMode: before === null ? null : 0o644,
    afterMode: 0o644,
    lines: null,
  }
}

const MORE_NAMES: ReadonlyMap<string, string> = new Map([
  ['exec_command', 'shell'],
  ['local_shell', 'shell'],
  ['Agent', 'task'],
])

/** Our name for another program's tool. If we have none, that program's name. */
export const canonicalToolName = (name: string): string => MORE_NAMES.get(name) ?? (meantTools(name)[0] || 'unknown')
