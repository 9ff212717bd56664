import { retryWhileLocked } from '../../../main/agent/record/retry-while-locked.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { say } from './say.ts'

/**
 * Opens the store of a folder, waits for a line, tries to claim a session, reports whether it got the claim, and holds it until stdin
 * ends.
 */
const [folder = '', name = ''] = process.argv.slice(2)
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const store = opened.value
say({ kind: 'ready' })
process.stdin.once('data', () => {
  // The claim is retried as in the app, because another process may have the database locked at this moment.
  void retryWhileLocked(() => store.claims.acquire(SessionId.parse(name))).then((claim) =>
    say(claim.ok ? { kind: 'got', pid: process.pid } : { kind: 'refused', code: claim.failure.code }),
  )
})
process.stdin.on('end', () => {
  store.close()
  say({ kind: 'closed' })
})
