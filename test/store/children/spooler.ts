import { openStore } from '../../../main/store/open-store.ts'
import { say } from './say.ts'

/** Begins a large output and waits to be killed in the middle of it. */
const [folder = ''] = process.argv.slice(2)
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const spool = opened.value.blobs.openSpool()
spool.write(Buffer.alloc(100_000, 'x'))
say({ kind: 'ready' })
process.stdin.resume()
