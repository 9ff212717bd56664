/** Limits how many subagents work at once: one that may write, and several read-only ones. */
export interface Slots {
  /** False: none is free. */
  take(holder: string, readsOnly: boolean): boolean
  /** Resolves when a slot has been taken. Rejects with the signal's reason. */
  await(holder: string, readsOnly: boolean, signal: AbortSignal): Promise<void>
  give(holder: string): void
}

export function createSlots(most: { readonly reading: number; readonly writing: number }): Slots {
  const held = new Map<string, boolean>()
  let waiting: (() => void)[] = []
  const take = (holder: string, readsOnly: boolean): boolean => {
    if (held.has(holder)) return true
    const alike = [...held.values()].filter((one) => one === readsOnly).length
    if (alike >= (readsOnly ? most.reading : most.writing)) return false
    held.set(holder, readsOnly)
    return true
  }
  return {
    take,
    async await(holder, readsOnly, signal) {
      while (!take(holder, readsOnly)) {
        signal.throwIfAborted()
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
        await promise
      }
    },
    give(holder) {
      if (!held.delete(holder)) return
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
  }
}
