/** Syncs folders for writers that work at the same time. */
export interface FolderSyncs {
  /**
   * Syncs the folder, or waits for a sync that starts after this call. Writers that call while a sync is running share the next sync,
   * because a sync takes as long for a hundred new names as for one.
   */
  sync(folder: string, work: () => Promise<void>): Promise<void>
}

export function createFolderSyncs(): FolderSyncs {
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()
  const start = async (folder: string, work: () => Promise<void>): Promise<void> => {
    const own = work()
    running.set(folder, own)
    try {
      await own
    } finally {
      if (running.get(folder) === own) running.delete(folder)
    }
  }
  const startAfter = async (earlier: Promise<void>, folder: string, work: () => Promise<void>): Promise<void> => {
    await earlier.catch(() => {})
    next.delete(folder)
    await start(folder, work)
  }
  return {
    sync(folder, work) {
      const shared = next.get(folder)
      if (shared) return shared
      const earlier = running.get(folder)
      if (!earlier) return start(folder, work)
      const own = startAfter(earlier, folder, work)
      next.set(folder, own)
      return own
    },
  }
}
