/** `writing` subagents write in the folder itself. `copied` subagents may write in their own copy. */
type SlotKind = 'reading' | 'writing' | 'copied'

/** Limits how many subagents of each kind work at the same time. */
export interface Slots {
  /** Returns false if no slot is free. */
  take(holder: string, kind: SlotKind): boolean
  /** Resolves when a slot has been taken. Rejects with the signal's reason. */
  await(holder: string, kind: SlotKind, signal: AbortSignal): Promise<void>
  give(holder: string): void
}

export function createSlots(most: { readonly reading: number; readonly writing: number }): Slots {
  const held = new Map<string, SlotKind>()
  let waiting: (() => void)[] = []
  const take = (holder: string, kind: SlotKind): boolean => {
    if (held.has(holder)) return true
    const alike = [...held.values()].filter((one) => one === kind).length
    if (alike >= (kind === 'writing' ? most.writing : most.reading)) return false
    held.set(holder, kind)
    return true
  }
  return {
    take,
    async await(holder, kind, signal) {
      while (!take(holder, kind)) {
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
