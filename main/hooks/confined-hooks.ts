import type { Hook } from '../../shared/session/hooks.ts'
import { changedScripts, changedWords, type TrustedContents } from '../approval/changed-scripts.ts'
import type { Confined } from '../agent/ports/command-copies.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { scriptsOf } from './hook-scripts.ts'
import type { UnconfinedHooks } from './unconfined-hooks.ts'

export type OpenFolder = Pick<Workspace, 'environment' | 'folder' | 'copies' | 'isSandboxRequired'> &
  Partial<Pick<Workspace, 'address' | 'home' | 'isLayer' | 'inside'>>

/** The user decides about hooks by the address of the folder: the same path on another machine is another folder. */
export const addressOf = ({ folder, address = folder }: Pick<OpenFolder, 'folder' | 'address'>): string => address

/** Confines one run of a hook. Resolves to null if the hook runs with full rights. Rejects with an `Error` if the hook must not run. */
export type ConfineHook = (hook: Hook) => Promise<Confined | null>

export interface ConfineParts {
  readonly free: UnconfinedHooks
  /** If left out, a changed script is only named. */
  readonly contents?: TrustedContents
  /** Folders that contain the programs of the user's own hooks. Needed only for folders that confinement hides. */
  readonly scripts?: readonly string[]
  /** The user's home folder, in which hooks may name scripts. Null if there is none. */
  readonly home: string | null
}

/**
 * Hooks may write only in the folder, or in the layer of their session, and have no network, unless the user exempts them or there is no
 * sandbox. A hook that is not confined
 * does not run a script that has changed since the user trusted it.
 */
export function confineIn(
  open: OpenFolder,
  { free, contents, scripts = [], home: ownHome }: ConfineParts,
  transcript?: { readonly path: string },
): ConfineHook {
  const { environment: env, folder, home = ownHome, copies, isSandboxRequired, isLayer = false, inside = null } = open
  const address = addressOf(open)
  const shown = transcript ? [transcript.path] : []
  return async (hook) => {
    const isFree = free.has(address, hook)
    if (hook.http && !isFree) throw new Error('nothing was sent, because you have not allowed it in Settings > Hooks')
    if (hook.http) return null
    if (!isFree && copies && (await copies.support()).kind === 'present')
      return copies.confine({
        visible: hook.from === 'person' ? [...shown, ...scripts] : shown,
        owner: { sessionId: null, what: `the hook ${hook.command}`.split('\n', 1)[0]?.slice(0, 80) ?? '' },
      })
    // What it starts through the layer's environment runs in the layer.
    if (inside && !isFree) return null
    if (isLayer)
      throw new Error(
        'it was not started, because a hook with full rights cannot run in the layer over the folder in which this session works',
      )
    if (isSandboxRequired) throw new Error('it was not started, because no program may run for real with --sandbox require')
    const named = await scriptsOf(hook, { env, folder, home })
    const trusted = free.trusted(address, hook)
    const changed = trusted ? changedScripts(trusted, named) : []
    if (changed.length > 0) throw new Error(changedWords(changed, 'Settings > Hooks'))
    if (free.remember(address, hook, named)) await contents?.keep(named, (path, options) => env.readBytes(path, options))
    return null
  }
}

/** Appended to the message of a failed hook, because confinement may be the reason for the failure. */
export const WAS_CONFINED =
  'The hook ran confined to the folder, without network. If it needs more, give it full rights in Settings > Hooks.'
