import { openStore } from '../../../main/store/open-store.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { NO_USAGE } from '../../../shared/session/content.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'

export interface WrittenSession {
  readonly data: string
  readonly folder: string
  /** The number of turns. Each turn has four entries: a request, an answer, a step and another answer. */
  readonly turns: number
  readonly mode?: ApprovalMode
}

/** Writes a finished session, as the app would, into a data folder that no app has open yet. */
export async function writeSession({ data, folder, turns, mode = 'ask' }: WrittenSession): Promise<SessionId> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  store.folders.decide(folder, true)
  const sessionId = store.sessions.create({
    cwd: folder,
    provider: 'anthropic',
    model: 'claude-test',
    mode,
    effort: null,
    baseUrl: null,
  })
  const log = store.log(sessionId)
  for (let turn = 1; turn <= turns; turn++) log.append(...turnOf(turn))
  store.close()
  return sessionId
}

function turnOf(turn: number): readonly [DurableEvent, ...DurableEvent[]] {
  const toolCallId = `call-${turn}` as ToolCallId
  return [
    { kind: 'USER_INPUT', inputId: `in-${turn}`, text: `Request ${turn}`, delivery: 'prompt' },
    said(`Answer ${turn} begins. ${'It has a few words more than fit on one line of a ledger. '.repeat(turn % 3)}`),
    { kind: 'TOOL_CALL_START', toolCallId, toolName: 'read_file', args: { file_path: `src/file-${turn}.ts` } },
    {
      kind: 'TOOL_CALL_END',
      toolCallId,
      toolName: 'read_file',
      output: 'text',
      outputBlob: null,
      modelText: null,
      isError: false,
      outcome: 'done',
      durationMs: 1,
      details: null,
    },
    said(`Answer ${turn} ends.`),
    { kind: 'PROCESSING_END', reason: 'completed' },
  ]
}

function said(text: string): DurableEvent {
  return {
    kind: 'ASSISTANT_TURN',
    provider: 'anthropic',
    model: 'claude-test',
    parts: [{ kind: 'text', text }],
    stopReason: 'stop',
    responseId: null,
    usage: NO_USAGE,
    complete: true,
  }
}
