import type { ChangedScript, ScriptHashes } from '../../shared/api/changed-scripts.ts'
import type { ListedHook } from '../../shared/api/hooks.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import { changedScripts, hashesOf, type ReadScript } from '../approval/changed-scripts.ts'
import { addressOf, type ConfineParts, type OpenFolder } from './confined-hooks.ts'
import { scriptsOf } from './hook-scripts.ts'

/** What the user decided about the hooks of an open folder, for their scripts as they are on disk. */
export interface HookRights {
  canConfine(open: OpenFolder): Promise<boolean>
  /** Before the agent can change the scripts of hooks that cannot be confined, records them, unless they were recorded before. */
  remember(open: OpenFolder, hooks: readonly Hook[]): Promise<void>
  of(open: OpenFolder, hook: Hook): Promise<Pick<ListedHook, 'isFree' | 'changed' | 'scripts'>>
  /**
   * Trusts the scripts with the content that was shown. If some have other content by now, records nothing and resolves to these. A hook
   * that is confined is not trusted with any script.
   */
  set(open: OpenFolder, hook: Hook, wanted: { readonly isFree: boolean; readonly shown: ScriptHashes }): Promise<readonly ExecutedFile[]>
}

export function createHookRights({ free, contents, home: ownHome }: Pick<ConfineParts, 'free' | 'contents' | 'home'>): HookRights {
  const scriptsIn = ({ environment: env, folder, home }: OpenFolder, hook: Hook) => scriptsOf(hook, { env, folder, home: home ?? ownHome })
  const canConfine = async ({ copies }: OpenFolder): Promise<boolean> => (await copies?.support())?.kind === 'present'
  const readIn =
    ({ environment }: OpenFolder): ReadScript =>
    (path, options) =>
      environment.readBytes(path, options)
  const changesOf = async (open: OpenFolder, hook: Hook, now: readonly ExecutedFile[]): Promise<readonly ChangedScript[]> => {
    const trusted = free.trusted(addressOf(open), hook)
    const changed = trusted ? changedScripts(trusted, now) : []
    if (trusted === null || changed.length === 0) return []
    return contents ? contents.changes(trusted, changed, readIn(open)) : changed.map(({ shown }) => ({ shown, hunks: null }))
  }
  return {
    canConfine,
    async remember(open, hooks) {
      if (hooks.length === 0 || open.isLayer || (await canConfine(open))) return
      for (const hook of hooks) {
        const scripts = await scriptsIn(open, hook)
        if (free.remember(addressOf(open), hook, scripts)) await contents?.keep(scripts, readIn(open))
      }
    },
    async of(open, hook) {
      const isFree = free.has(addressOf(open), hook)
      const isConfined = !isFree && (await canConfine(open))
      const now = await scriptsIn(open, hook)
      return { isFree, changed: isConfined ? [] : await changesOf(open, hook, now), scripts: hashesOf(now) }
    },
    async set(open, hook, { isFree, shown }) {
      const isConfined = !isFree && (await canConfine(open))
      const scripts = isConfined ? [] : await scriptsIn(open, hook)
      const changed = changedScripts(shown, scripts)
      if (changed.length > 0) return changed
      free.set(addressOf(open), hook, isFree, scripts)
      await contents?.keep(scripts, readIn(open))
      return []
    },
  }
}
