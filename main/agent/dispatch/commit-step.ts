import type { LiveEvent, Signer } from '../../../shared/session/events.ts'
import { patiently } from '../record/patience.ts'
import type { SessionRecord } from '../record/record.ts'
import { StorageError } from '../storage-error.ts'
import { callEnd } from './call-end.ts'
import { createCallSession } from './call-session.ts'
import { errorOutput, toolError } from './find-call.ts'
import type { DispatchParts } from './parts.ts'
import type { Preparation } from './prepare-call.ts'
import type { RoundCall } from './round-call.ts'
import { runCall } from './run-call.ts'

type Step = Extract<Preparation, { kind: 'step' }>

export interface SignedStep {
  readonly call: RoundCall
  readonly step: Step
  readonly by: Signer
  /** The person signed it knowing that it is not being saved (D-55). */
  readonly unsaved: boolean
}

/**
 * Capture, intent, effect, capture, result (DESIGN §3): nothing has an effect before the log says that it may have had one. `unsaved`:
 * the intent could not be stored, and nothing was done. The call's end is recorded in every other case.
 */
export async function commitStep(
  { call, step, by, unsaved }: SignedStep,
  record: SessionRecord,
  parts: DispatchParts,
  signal: AbortSignal,
): Promise<'done' | 'not_done' | 'unsaved'> {
  const { part } = call
  const { toolCallId } = part
  let captured
  try {
    captured = await parts.capture(step.effects)
  } catch (error) {
    // Without the bytes before it a step could not be undone: it is not taken.
    call.isOver = true
    record.append(callEnd({ part, output: errorOutput(toolError(error)), outcome: 'failed', durationMs: 0 }, parts))
    return 'not_done'
  }
  const intent = { kind: 'TOOL_EXECUTION_START', toolCallId, signedBy: by, effects: step.effects } as const
  try {
    if (unsaved) record.append(intent)
    else await patiently(() => record.appendOnDisk(intent))
  } catch (error) {
    if (error instanceof StorageError) return 'unsaved'
    throw error
  }
  call.isOver = true
  const trace = parts.traces.begin(toolCallId)
  const publish = (event: LiveEvent): void => {
    if (event.kind === 'TOOL_CALL_OUTPUT_DELTA') trace.wrote(event.tail)
    record.publish(event)
  }
  const end = await runCall(part, step.commit, { ...parts, publish, session: createCallSession(record, parts.blobs) }, signal)
  const { files, unread } = await captured.changes()
  const changed = { kind: 'FILES_CHANGED', toolCallId, files, ...(unread.length > 0 && { unread }) } as const
  if (files.length + unread.length > 0) record.append(changed, end)
  else record.append(end)
  trace.dispose()
  return end.outcome === 'done' ? 'done' : 'not_done'
}
