import { IMPORT_MARKER } from '../../../shared/api/transfer.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { type Effect, unrecordedEffects } from '../../../shared/session/effects.ts'
import type { ForkLink } from '../../../shared/session/conversation-move.ts'
import type { DurableEvent, ParentLink } from '../../../shared/session/events.ts'
import type { FileChange, FolderChange, MadeBy } from '../../../shared/session/file-change.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { UncoveredPath } from '../../../shared/session/rollback.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'

/** One event that changed files, in the user's session or one of its subagents. */
export interface Change {
  /** The order of the changes. Not an integer for the changes of a subagent that was imported, or worked before the session was forked. */
  readonly seq: number
  /** Number of the step in the user's session. */
  readonly step: number
  /** Null if a step made the change, not an undo. */
  readonly rollbackId: string | null
  /** The call of the step that made the change. Null if an undo made it. */
  readonly toolCallId: ToolCallId | null
  readonly files: readonly FileChange[]
  readonly folders: readonly FolderChange[]
  readonly uncovered: readonly UncoveredPath[]
  /** If absent, an edit tool or an undo made the change. */
  readonly madeBy?: MadeBy
  /** The type of the subagent that made the change. Null for the user's session. */
  readonly agentType: string | null
}

type ChangingEvent = Extract<DurableEvent, { kind: 'FILES_CHANGED' | 'ROLLED_BACK' | 'TOOL_EXECUTION_START' }>

export interface ChangeSources {
  prepare(sessionId: SessionId): Promise<void>
  readonly sessions: {
    subagentsOf(parentId: SessionId): readonly { readonly sessionId: SessionId; readonly parent: ParentLink }[]
    marked(name: string): ReadonlyMap<SessionId, string>
  }
  readonly ledger: {
    snapshot(sessionId: SessionId, limit: number): { readonly forkedFrom: ForkLink | null } | null
    call(sessionId: SessionId, toolCallId: ToolCallId): CallItem | null
    changes(
      sessionId: SessionId,
      from: number,
      most: number,
    ): readonly { readonly seq: number; readonly step: number; readonly event: ChangingEvent }[]
  }
}

/** Number of events that are read at once. */
const BATCH = 50

/** All changes of a session and its subagents, in the order in which they happened. Read in slices. */
export async function readChanges(sources: ChangeSources, sessionId: SessionId): Promise<readonly Change[]> {
  const changes: Change[] = []
  await readSession(sources, { sessionId, step: null, agentType: null, imported: sources.sessions.marked(IMPORT_MARKER) }, changes)
  await readSubagentsBeforeFork(sources, sessionId, changes)
  return changes.toSorted((a, b) => a.seq - b.seq)
}

interface ReadSession {
  readonly sessionId: SessionId
  /** The step of the user's session that started this subagent. Null for the user's session itself. */
  readonly step: number | null
  readonly agentType: string | null
  /** The sessions that were imported. */
  readonly imported: ReadonlyMap<SessionId, string>
}

async function readSession(sources: ChangeSources, read: ReadSession, into: Change[]): Promise<void> {
  const { sessionId, step: fixed, agentType, imported } = read
  await sources.prepare(sessionId)
  const slice = createSlices()
  const rows: { readonly seq: number; readonly step: number; readonly event: ChangingEvent }[] = []
  const recorded = new Set<string>()
  for (let from = 0; ;) {
    const found = sources.ledger.changes(sessionId, from, BATCH)
    for (const { seq, step, event } of found) {
      if (event.kind === 'FILES_CHANGED')
        for (const { path } of [...event.files, ...(event.folders ?? [])]) recorded.add(recordOf(event, path))
      rows.push({ seq, step: fixed ?? step, event })
    }
    const last = found.at(-1)
    if (!last || found.length < BATCH) break
    from = last.seq
    await slice()
  }
  for (const { seq, step, event } of rows) {
    const isRecorded = (path: string): boolean => 'toolCallId' in event && recorded.has(recordOf(event, path))
    const madeBy = event.kind === 'FILES_CHANGED' && event.madeBy ? { madeBy: event.madeBy } : {}
    into.push({ seq, step, agentType, ...madeBy, ...changeOf(step, event, isRecorded) })
  }
  for (const { sessionId: child, parent } of sources.sessions.subagentsOf(sessionId)) {
    // A subagent's changes in its own copy are not in the folder until its parent applies them.
    if (parent.ownCopy) continue
    const call = sources.ledger.call(sessionId, parent.toolCallId)
    const changes: Change[] = []
    await readSession(sources, { ...read, sessionId: child, step: fixed ?? call?.step ?? 0, agentType: parent.agentType }, changes)
    // An import stores subagents after their parent, so the numbers of their events are too high.
    into.push(...(call && imported.has(child) ? atCall(call, changes) : changes))
  }
}

/** The changes in their order, directly after the beginning of the call. An entry's id contains the number of its first event. */
function atCall(call: CallItem, changes: readonly Change[]): readonly Change[] {
  const seq = Number(call.id.slice(1)) + 0.5
  return changes.toSorted((a, b) => a.seq - b.seq).map((change) => ({ ...change, seq }))
}

/**
 * Adds the changes of the subagents whose calls a fork copied. Only the sessions from which it was forked have these subagents. If such a
 * session was deleted, its subagents were deleted with it.
 */
async function readSubagentsBeforeFork(sources: ChangeSources, sessionId: SessionId, into: Change[]): Promise<void> {
  const { sessions, ledger } = sources
  for (let link = ledger.snapshot(sessionId, 1)?.forkedFrom; link; link = ledger.snapshot(link.sessionId, 1)?.forkedFrom) {
    const { seq: until } = link
    for (const { sessionId: child, parent } of sessions.subagentsOf(link.sessionId)) {
      const call = parent.ownCopy ? null : ledger.call(sessionId, parent.toolCallId)
      if (!call) continue
      const changes: Change[] = []
      const imported = sources.sessions.marked(IMPORT_MARKER)
      await readSession(sources, { sessionId: child, step: call.step, agentType: parent.agentType, imported }, changes)
      const before = changes.filter(({ seq }) => imported.has(child) || seq <= until)
      into.push(...atCall(call, before))
    }
  }
}

const recordOf = ({ toolCallId }: { readonly toolCallId: ToolCallId }, path: string): string => `${toolCallId} ${path}`

function changeOf(
  step: number,
  event: ChangingEvent,
  isRecorded: (path: string) => boolean,
): Pick<Change, 'rollbackId' | 'toolCallId' | 'files' | 'folders' | 'uncovered'> {
  if (event.kind === 'TOOL_EXECUTION_START') {
    const effects = event.effects.filter((effect) => !('path' in effect && isRecorded(effect.path)))
    return { rollbackId: null, toolCallId: event.toolCallId, files: [], folders: [], uncovered: unrecorded(effects, step) }
  }
  const { files, folders = [] } = event
  if (event.kind === 'ROLLED_BACK') return { rollbackId: event.rollbackId, toolCallId: null, files, folders, uncovered: [] }
  const unread = (event.unread ?? []).map(({ shown, why }) => ({ shown, why: `It could not be recorded: ${why}`, step }))
  const leftOut = (event.madeBy?.compared?.leftOut ?? []).map((why) => ({ shown: 'Part of the folder', why, step }))
  return { rollbackId: null, toolCallId: event.toolCallId, files, folders, uncovered: [...unread, ...leftOut] }
}

function unrecorded(effects: readonly Effect[], step: number): readonly UncoveredPath[] {
  return unrecordedEffects(effects).flatMap((effect) => {
    if (effect.kind === 'link') return [{ shown: effect.shown, why: 'The change to this link was not recorded.', step }]
    if (effect.kind === 'folder' && effect.tree)
      return [{ shown: effect.shown, why: 'Git ignores this folder, so its files are not recorded.', step }]
    if (effect.kind === 'folder') return [{ shown: effect.shown, why: `It was not recorded that this folder was ${effect.change}.`, step }]
    if (effect.kind === 'permissions') return [{ shown: effect.shown, why: 'The change to its permissions was not recorded.', step }]
    if (effect.kind !== 'command') return []
    const command = effect.command.split('\n', 1)[0]?.slice(0, 80) ?? ''
    const where = effect.sandbox === 'layer' ? 'in the layer' : 'for real'
    return [{ shown: 'Ignored files', why: `This ran ${where}, and changes to ignored files are not recorded: ${command}`, step }]
  })
}
