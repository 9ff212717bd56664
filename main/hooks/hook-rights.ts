import type { ListedHook } from '../../shared/api/hooks.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import type { ConfineParts, OpenFolder } from './confined-hooks.ts'
import { scriptsOf } from './hook-scripts.ts'

/** What the user decided about the hooks of an open folder, for their scripts as they are on disk. */
export interface HookRights {
  canConfine(open: OpenFolder): Promise<boolean>
  /** Before the agent can change the scripts of hooks that cannot be confined, records them, unless they were recorded before. */
  remember(open: OpenFolder, hooks: readonly Hook[]): Promise<void>
  of(open: OpenFolder, hook: Hook): Promise<Pick<ListedHook, 'isFree' | 'changed'>>
  set(open: OpenFolder, hook: Hook, isFree: boolean): Promise<void>
}

export function createHookRights({ free, home }: Pick<ConfineParts, 'free' | 'home'>): HookRights {
  const scriptsIn = ({ environment: env, folder }: OpenFolder, hook: Hook) => scriptsOf(hook, { env, folder, home })
  const canConfine = async ({ copies }: OpenFolder): Promise<boolean> => (await copies?.support())?.kind === 'present'
  return {
    canConfine,
    async remember(open, hooks) {
      if (hooks.length === 0 || open.isSubagentCopy || (await canConfine(open))) return
      for (const hook of hooks) free.remember(open.folder, hook, await scriptsIn(open, hook))
    },
    async of(open, hook) {
      const isFree = free.has(open.folder, hook)
      const isConfined = !isFree && (await canConfine(open))
      return { isFree, changed: isConfined ? [] : free.changed(open.folder, hook, await scriptsIn(open, hook)) }
    },
    set: async (open, hook, isFree) => free.set(open.folder, hook, isFree, await scriptsIn(open, hook)),
  }
}
