import { retryWhileLocked } from '../../../main/agent/record/retry-while-locked.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { SessionId, type ApprovalId, type ToolCallId } from '../../../shared/lib/ids.ts'
import type { SessionEvent } from '../../../shared/session/events.ts'
import { say } from './say.ts'

/**
 * Follows a session. When told to, it answers the session's approval in one transaction, unless it has seen an answer. Reports whether it
 * was the first to answer.
 */
const [folder = '', name = ''] = process.argv.slice(2)
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const store = opened.value
const id = SessionId.parse(name)
const seen: SessionEvent[] = []
store.subscribe(id, (envelopes) => seen.push(...envelopes.map(({ event }) => event)), 0)
say({ kind: 'ready', seen: seen.length })
process.stdin.once('data', () => void answer())

async function answer(): Promise<void> {
  // The write is retried while the database is locked, as in the app. On a busy machine, one slow write must not make the other processes
  // give up.
  const stored = await retryWhileLocked(() =>
    store.log(id).transact(() => {
      if (seen.some(({ kind }) => kind === 'APPROVAL_ANSWERED')) return []
      const answer = { kind: 'signed' } as const
      return [{ kind: 'APPROVAL_ANSWERED', approvalId: 'a' as ApprovalId, toolCallId: 'c' as ToolCallId, answer }]
    }),
  )
  say({ kind: 'decided', first: stored.length > 0 })
  process.stdin.pause()
  store.close()
}
