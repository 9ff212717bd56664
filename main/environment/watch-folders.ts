import { watch } from 'node:fs'
import type { Disposable } from '../../shared/lib/disposable.ts'

/** Maximum number of folders that are watched at the same time, because the system limits their number. */
const MAX_FOLDERS = 500
/** Changes within this time (ms) are reported together, because saving a file causes several changes. */
const SETTLE_MS = 200

/**
 * Calls `changed` soon after an entry of these folders changes. Changes inside their subfolders are not reported. A folder that cannot be
 * watched is left out.
 */
export function watchFolders(folders: readonly string[], changed: () => void): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      changed()
    }, SETTLE_MS)
  }
  const watchers = folders.slice(0, MAX_FOLDERS).flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, soon)
      watcher.on('error', () => watcher.close())
      return [watcher]
    } catch {
      return []
    }
  })
  return {
    dispose() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
