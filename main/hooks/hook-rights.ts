import type { ChangedScript } from '../../shared/api/changed-scripts.ts'
import type { ListedHook } from '../../shared/api/hooks.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import { changedScripts, type ReadScript } from '../approval/changed-scripts.ts'
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

export function createHookRights({ free, contents, home }: Pick<ConfineParts, 'free' | 'contents' | 'home'>): HookRights {
  const scriptsIn = ({ environment: env, folder }: OpenFolder, hook: Hook) => scriptsOf(hook, { env, folder, home })
  const canConfine = async ({ copies }: OpenFolder): Promise<boolean> => (await copies?.support())?.kind === 'present'
  const readIn =
    ({ environment }: OpenFolder): ReadScript =>
    (path, options) =>
      environment.readBytes(path, options)
  const changesOf = async (open: OpenFolder, hook: Hook): Promise<readonly ChangedScript[]> => {
    const trusted = free.trusted(open.folder, hook)
    const changed = trusted ? changedScripts(trusted, await scriptsIn(open, hook)) : []
    if (trusted === null || changed.length === 0) return []
    return contents ? contents.changes(trusted, changed, readIn(open)) : changed.map(({ shown }) => ({ shown, hunks: null }))
  }
  return {
    canConfine,
    async remember(open, hooks) {
      if (hooks.length === 0 || open.isSubagentCopy || (await canConfine(open))) return
      for (const hook of hooks) {
        const scripts = await scriptsIn(open, hook)
        if (free.remember(open.folder, hook, scripts)) await contents?.keep(scripts, readIn(open))
      }
    },
    async of(open, hook) {
      const isFree = free.has(open.folder, hook)
      const isConfined = !isFree && (await canConfine(open))
      return { isFree, changed: isConfined ? [] : await changesOf(open, hook) }
    },
    async set(open, hook, isFree) {
      const scripts = await scriptsIn(open, hook)
      free.set(open.folder, hook, isFree, scripts)
      await contents?.keep(scripts, readIn(open))
    },
  }
}
