import { stat } from 'node:fs/promises'
import { codeOf, EnvironmentFailure } from './environment-failure.ts'

/** Checks that the folder of an environment is still the same folder, not only the same path. */
export interface SameRoot {
  /**
   * Remembers the folder when it first exists, and from then on rejects with `ESTALE` unless it is still the same folder. Called before
   * each effect: a folder that was deleted, renamed or unmounted must not be created again, and another folder that took its path must
   * not be used. Concurrent calls share one check.
   */
  check(): Promise<void>
}

interface Identity {
  readonly dev: bigint
  readonly ino: bigint
  /** Needed because file systems reuse the inode number of a deleted folder. */
  readonly birthtimeNs: bigint
}

export function createSameRoot(root: string): SameRoot {
  let first: Identity | null = null
  let running: Promise<void> | null = null
  const look = async (): Promise<void> => {
    const now = await identityOf(root)
    if (now === null && first === null) return
    if (now === null) throw stale(root, 'no longer exists: it was deleted, renamed or unmounted')
    first ??= now
    if (now.dev === first.dev && now.ino === first.ino && now.birthtimeNs === first.birthtimeNs) return
    throw stale(root, 'is no longer the same folder: the original folder was deleted, renamed or unmounted')
  }
  return {
    check: () => (running ??= look().finally(() => (running = null))),
  }
}

async function identityOf(root: string): Promise<Identity | null> {
  try {
    const found = await stat(root, { bigint: true })
    return found.isDirectory() ? found : null
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

function stale(root: string, what: string): EnvironmentFailure {
  return new EnvironmentFailure(
    'ESTALE',
    `The project folder ${root} ${what} (ESTALE). Nothing was done, and no folder was made in its place. Put the folder back, or open the project again where it is now.`,
  )
}
