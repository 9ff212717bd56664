import { StorageError } from '../../../main/agent/storage-error.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { say } from './say.ts'

/**
 * Appends events, stores blobs and spools output until each of the three fails. Reports the failures and the number of events that were
 * acknowledged before.
 */
const [folder = '', name = ''] = process.argv.slice(2)
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const store = opened.value
const log = store.log(SessionId.parse(name))
const spool = store.blobs.openSpool()

let events = 0
const append = untilItFails(() => {
  log.append({ kind: 'USER_INPUT', inputId: `${events}`, text: 'x'.repeat(4_000), delivery: 'prompt' })
  events++
})
const blob = untilItFails((n) => store.blobs.put(Buffer.alloc(2_000_000, `${n} `)))
const spooled = untilItFails((n) => spool.write(Buffer.alloc(500_000, `${n} `)))
say({ events, append, blob, spooled, trouble: store.health().trouble?.code ?? null, read: [...log.read()].length })
store.close()

function untilItFails(work: (n: number) => unknown): string {
  try {
    for (let n = 0; n < 2_000; n++) work(n)
    return 'never'
  } catch (error) {
    if (error instanceof StorageError) return error.trouble.code
    throw error
  }
}
