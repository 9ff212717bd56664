import { createStorageThread, type StorageJob, type StorageReply } from '../../../main/store/cleaning/storage-thread.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { say } from '../../store/children/say.ts'

/**
 * Runs one task on a data folder as the app does: `fork` or `delete` a session, or `clean`. Prints the result as soon as it is stored.
 */
const [task = '', folder = '', id = ''] = process.argv.slice(2)
const sessionId = SessionId.parse(id)
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const store = opened.value
if (task === 'fork') say(await store.sessions.fork(sessionId, Number.MAX_SAFE_INTEGER))
else await onThread(task === 'clean' ? clean : deleteOne)
store.close()

type Done = (job: StorageJob) => Promise<StorageReply>

async function onThread(work: (done: Done) => Promise<void>): Promise<void> {
  const thread = createStorageThread(folder)
  await work(async (job) => {
    const reply = await thread.ask(job)
    if (reply.kind === 'failed') throw new Error(reply.message)
    return reply
  })
  await thread.close()
}

/** Removes everything that no session refers to. */
async function clean(done: Done): Promise<void> {
  await done({ kind: 'sweep', blobs: null, kept: [] })
  say('swept')
  await vacuum(done)
}

async function deleteOne(done: Done): Promise<void> {
  const weighed = await done({ kind: 'weigh', sessionIds: [sessionId] })
  if (weighed.kind !== 'weigh') throw new Error(weighed.kind)
  await done({ kind: 'delete', sessionIds: weighed.sessionIds })
  say('deleted')
  await done({ kind: 'sweep', blobs: weighed.blobs, kept: [] })
  await vacuum(done)
}

async function vacuum(done: Done): Promise<void> {
  for (let more = true; more;) {
    const reply = await done({ kind: 'vacuum' })
    more = reply.kind === 'vacuum' && reply.more
  }
}
