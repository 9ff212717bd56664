import { createHash } from 'node:crypto'
import type { Trouble } from '../../shared/session/events.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'

/** Maximum size in bytes of a file that is compared. */
const MAX_BYTES = 5_000_000

export interface SettingsWatch {
  /** Remembers the current files. */
  begin(): Promise<void>
  /** What to tell the user about files that have changed since `begin` or the last call. Null if none has. */
  changed(): Promise<Trouble | null>
}

/**
 * Watches the files that configure what an agent runs, such as hooks and servers. They are outside of the layer, so a change takes effect at
 * once, even when the user runs the agent without Countersign. `paths` are absolute.
 */
export function watchSettings(name: string, paths: readonly string[], env: Pick<ExecutionEnvironment, 'readBytes'>): SettingsWatch {
  const hashOf = async (path: string): Promise<string | null> => {
    const bytes = await env.readBytes(path, { maxBytes: MAX_BYTES }).catch(() => null)
    return bytes && createHash('sha256').update(bytes).digest('hex')
  }
  let before: readonly (string | null)[] = []
  const now = (): Promise<readonly (string | null)[]> => Promise.all(paths.map(hashOf))
  return {
    async begin() {
      before = await now()
    },
    async changed() {
      const after = await now()
      const changed = paths.filter((_, at) => before[at] !== after[at])
      before = after
      return changed.length === 0 ? null : settingsChanged(name, changed)
    },
  }
}

function settingsChanged(name: string, paths: readonly string[]): Trouble {
  return {
    code: 'agent_settings_changed',
    what: `${name} changed its own settings in this turn: ${paths.join(', ')}. Settings can start hooks and servers, even outside of Countersign.`,
    kept: 'The folder is unchanged. The settings are outside of the layer, so undo does not cover them.',
    todo: 'If you did not ask for this change, check the files.',
  }
}
