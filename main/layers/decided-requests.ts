import type { BlobHash, SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { AmendedFile } from '../../shared/session/amendment.ts'
import type { Effect } from '../../shared/session/effects.ts'
import type { ApprovalAnswer, DurableEvent } from '../../shared/session/events.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import type { Store } from '../store/store.ts'

/** A request to bring in work that the user has decided. */
export interface DecidedRequest {
  readonly toolCallId: ToolCallId
  /** The time at which the layer was read, in ms since 1970. */
  readonly at: number
  readonly changeSet: BlobHash
  /** The absolute paths of which something can be removed from the layer, because it was refused. */
  readonly paths: ReadonlySet<string>
  /** The absolute paths of files of which the user decides something later. */
  readonly later: ReadonlyMap<string, NonNullable<AmendedFile['later']>>
  /** Why the user refused all of it. Null if there is no reason. */
  readonly note: string | null
}

interface Asked {
  readonly at: number
  readonly event: Extract<DurableEvent, { kind: 'COPY_ENDED' }>
  answer: ApprovalAnswer | null
  isApplied: boolean
}

/**
 * The requests in this session that the user has refused, or has signed and that were applied, oldest first. Any other request has decided
 * nothing, so its work is asked about again.
 */
export async function decidedRequests({ log }: Pick<Store, 'log'>, asking: SessionId): Promise<readonly DecidedRequest[]> {
  const slice = createSlices()
  const asked = new Map<ToolCallId, Asked>()
  for (const { at, event } of log(asking).read({ after: 0 })) {
    await slice()
    if (event.kind === 'COPY_ENDED') asked.set(event.toolCallId, { at, event, answer: null, isApplied: false })
    const request = 'toolCallId' in event ? asked.get(event.toolCallId) : undefined
    if (request === undefined) continue
    if (event.kind === 'APPROVAL_ANSWERED') request.answer = event.answer
    if (event.kind === 'TOOL_CALL_END') request.isApplied = event.outcome === 'done' && !event.isError
  }
  return [...asked.values()].flatMap(decided)
}

function decided({ at, event: { toolCallId, changeSet, effects }, answer, isApplied }: Asked): readonly DecidedRequest[] {
  if (answer === null || changeSet === null) return []
  const isSigned = answer.kind === 'signed' && isApplied
  if (!isSigned && !(answer.kind === 'refused' && answer.by === 'person')) return []
  const files = (answer.kind === 'signed' ? answer.amended?.files : answer.kind === 'refused' ? answer.later : null) ?? []
  const later = new Map(files.flatMap((file) => (file.later ? [[file.path, file.later] as const] : [])))
  const keepsAll = (path: string): boolean => later.get(path)?.after === null
  // The base does not show what was signed of a file in conflict, so nothing of it is removed.
  const isUnclear = (effect: Effect): boolean => isSigned && effect.kind === 'write' && effect.conflict !== undefined
  const paths = effects.flatMap((effect) => ('path' in effect && !isUnclear(effect) && !keepsAll(effect.path) ? [effect.path] : []))
  return [{ toolCallId, at, changeSet: changeSet.hash, paths: new Set(paths), later, note: answer.kind === 'refused' ? answer.note : null }]
}
