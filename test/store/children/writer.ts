import { retryWhileLocked } from '../../../main/agent/record/retry-while-locked.ts'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../../main/store/open-store.ts'
import { SessionId, type ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { say } from './say.ts'

/**
 * Appends rounds of events to a session as fast as it can, and prints the seq of each batch after it was acknowledged. In every tenth
 * round it also stores a blob that is large enough for its own file, refers to it in the log, and moves the journal into the database
 * file.
 */
const [folder = '', name = '', rounds = 'Infinity'] = process.argv.slice(2)
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const store = opened.value
const checkpointer = new Database(join(folder, 'countersign.db'))
const log = store.log(SessionId.parse(name))
say({ kind: 'ready' })
for (let round = 0; round < Number(rounds); round++) {
  if (round % 10 === 0) checkpointer.pragma('wal_checkpoint(PASSIVE)')
  const toolCallId = `${name}-${process.pid}-${round}` as ToolCallId
  const bytes = Buffer.alloc(round % 10 ? 100 : 20_000, `${round} `)
  const blob = { hash: await retryWhileLocked(() => store.blobs.put(bytes)), bytes: bytes.length }
  const end = { outputBlob: blob, modelText: null, isError: false, outcome: 'done', durationMs: 1, details: null } as const
  await acknowledged({ kind: 'USER_INPUT', inputId: `${round}`, text: `round ${round} ${'x'.repeat(300)}`, delivery: 'prompt' })
  await acknowledged({ kind: 'TOOL_CALL_START', toolCallId, toolName: 'shell', args: { command: 'true' } })
  await acknowledged({ kind: 'TOOL_EXECUTION_START', toolCallId, signedBy: { kind: 'person' }, effects: [] })
  await acknowledged(
    { kind: 'TOOL_CALL_END', toolCallId, toolName: 'shell', output: '', ...end },
    { kind: 'PROCESSING_END', reason: 'completed' },
  )
}
checkpointer.close()
store.close()
say({ kind: 'closed' })

async function acknowledged(...events: readonly [DurableEvent, ...DurableEvent[]]): Promise<void> {
  const stored = await retryWhileLocked(() => log.append(...events))
  say({ kind: 'stored', seq: stored.at(-1)?.seq })
}
