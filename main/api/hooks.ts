import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Done } from '../../shared/api/sessions.ts'
import { listedNames } from '../../shared/lib/short-count.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'
import type { Trouble } from '../../shared/session/events.ts'
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
        async () => {
          const changed = await hooks.setFree(folder, wanted, isFree)
          if (changed === null) return { ok: false, trouble: NO_SUCH_HOOK }
          return changed.length === 0 ? { ok: true } : { ok: false, trouble: changedSinceShown(changed) }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
  }
}

const changedSinceShown = (changed: readonly Pick<ExecutedFile, 'shown'>[]): Trouble => ({
  code: 'script_changed',
  what: `The hook was not allowed: ${listedNames(
    changed.map(({ shown }) => shown),
    3,
  )} changed after this page showed it.`,
  kept: 'What the hook may do is unchanged.',
  todo: 'Review the script as it is now, then allow it again.',
})

const NO_SUCH_HOOK = {
  code: 'no_such_hook',
  what: 'This hook no longer exists: its file no longer contains it, or the folder is not trusted.',
  kept: 'Everything is unchanged. Nothing was run.',
  todo: 'Open the settings again to reload the files.',
} as const
