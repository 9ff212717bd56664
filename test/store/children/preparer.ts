import { SessionId } from '../../../shared/lib/ids.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { say } from './say.ts'

/** Opens a store and rebuilds the data that another version of Countersign derived from a session's log. */
const [folder = '', id = ''] = process.argv.slice(2)
const store = await openStore(folder)
if (!store.ok) throw new Error(store.failure.what)
say({ kind: 'begins' })
await store.value.prepare(SessionId.parse(id))
say({ kind: 'done' })
setInterval(() => {}, 1000)
