import { createStorageThread, type StorageReply } from '../../../main/store/cleaning/storage-thread.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { say } from '../../store/children/say.ts'

/** One task on a data folder, as the app does it: `fork` or `delete` a session. Prints the result as soon as it is stored. */
const [task = '', folder = '', id = ''] = process.argv.slice(2)
const sessionId = SessionId.parse(id)
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const store = opened.value
if (task === 'fork') say(await store.sessions.fork(sessionId, Number.MAX_SAFE_INTEGER))
else await deleteOne()
store.close()

async function deleteOne(): Promise<void> {
  const thread = createStorageThread(folder)
  const done = async (...[job]: Parameters<typeof thread.ask>): Promise<StorageReply> => {
    const reply = await thread.ask(job)
    if (reply.kind === 'failed') throw new Error(reply.message)
    return reply
  }
  const weighed = await done({ kind: 'weigh', sessionIds: [sessionId] })
  if (weighed.kind !== 'weigh') throw new Error(weighed.kind)
  await done({ kind: 'delete', sessionIds: weighed.sessionIds })
  say('deleted')
  await done({ kind: 'sweep', blobs: weighed.blobs, kept: [] })
  for (let more = true; more;) {
    const reply = await done({ kind: 'vacuum' })
    more = reply.kind === 'vacuum' && reply.more
  }
  await thread.close()
}
