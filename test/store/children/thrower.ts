import { openStore } from '../../../main/store/open-store.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { say } from './say.ts'

/** Appends while one of two subscribers throws, and reports the result. */
const [folder = ''] = process.argv.slice(2)
process.on('uncaughtException', (error) => say({ uncaught: error.message }))
const opened = await openStore(folder)
if (!opened.ok) throw new Error(opened.failure.what)
const log = opened.value.log(SessionId.parse('s'))
let told = 0
log.subscribe(() => {
  throw new Error('a bug of the subscriber')
})
log.subscribe(() => told++)
log.append({ kind: 'STOP_REQUESTED' })
say({ stored: [...log.read()].length, told })
opened.value.close()
