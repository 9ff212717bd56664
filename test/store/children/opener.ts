import { openStore } from '../../../main/store/open-store.ts'
import { StorageError } from '../../../main/agent/storage-error.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { say } from './say.ts'

/** Opens the store of a folder, reads a session, tries to add to it, and reports the result of each operation. */
const [folder = '', name = ''] = process.argv.slice(2)
const opened = await openStore(folder)
if (opened.ok) {
  const log = opened.value.log(SessionId.parse(name))
  say({
    kind: 'opened',
    trouble: opened.value.health().trouble?.code ?? null,
    events: [...log.read()].length,
    append: attempt(() => log.append({ kind: 'STOP_REQUESTED' })),
  })
  opened.value.close()
} else {
  say({ kind: 'failed', ...opened.failure })
}

function attempt(work: () => unknown): string {
  try {
    work()
    return 'stored'
  } catch (error) {
    if (error instanceof StorageError) return error.trouble.code
    throw error
  }
}
