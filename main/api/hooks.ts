import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { AppHooks } from '../hooks/app-hooks.ts'
import { unlessStorageFails } from './storage-failures.ts'

export function hooksHandlers(hooks: Pick<AppHooks, 'list' | 'tryOut' | 'setFree'>): AppHandlers['hooks'] {
  return {
    list: ({ folder }) =>
      unlessStorageFails(
        () => hooks.list(folder),
        () => ({ hooks: [], unused: [], canConfine: false }),
      ),
    tryOut: ({ folder, moment, ...wanted }) =>
      unlessStorageFails<Awaited<ReturnType<AppHandlers['hooks']['tryOut']>>>(
        async () => {
          const run = await hooks.tryOut(folder, wanted, moment)
          return run ? { ok: true, run } : { ok: false, trouble: NO_SUCH_HOOK }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
    setFree: ({ folder, isFree, ...wanted }) =>
      unlessStorageFails<Done>(
        async () => ((await hooks.setFree(folder, wanted, isFree)) ? { ok: true } : { ok: false, trouble: NO_SUCH_HOOK }),
        (trouble) => ({ ok: false, trouble }),
      ),
  }
}

const NO_SUCH_HOOK = {
  code: 'no_such_hook',
  what: 'This hook no longer exists: its file no longer contains it, or the folder is not trusted.',
  kept: 'Everything is unchanged. Nothing was run.',
  todo: 'Open the settings again to reload the files.',
} as const
