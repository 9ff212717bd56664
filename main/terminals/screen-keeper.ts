import type { ToolCallId } from '../../shared/lib/ids.ts'
import type { KeptTerminal, KeptTerminals } from '../store/kept-terminals.ts'

/** Delay in ms between an output and the saving of the screen. */
const KEEP_AFTER_MS = 2_000

export interface ScreenKeeper {
  /** Saves a terminal's state after a delay. Calls during the delay are merged. */
  soon(id: ToolCallId, read: () => Promise<KeptTerminal>): void
  /** Saves the state now, and cancels a delayed save. */
  now(id: ToolCallId, read: () => Promise<KeptTerminal>): Promise<void>
  drop(id: ToolCallId): void
}

/** Saves the screens of terminals. Saves nothing if `kept` is null. */
export function createScreenKeeper(kept: KeptTerminals | null): ScreenKeeper {
  const waiting = new Map<ToolCallId, NodeJS.Timeout>()
  const dropped = new Set<ToolCallId>()
  const cancel = (id: ToolCallId): void => {
    clearTimeout(waiting.get(id))
    waiting.delete(id)
  }
  const keep: ScreenKeeper['now'] = async (id, read) => {
    cancel(id)
    if (kept === null) return
    const terminal = await read()
    if (!dropped.has(id)) kept.save(terminal)
  }
  return {
    soon(id, read) {
      if (kept === null || waiting.has(id)) return
      waiting.set(id, setTimeout(() => void keep(id, read), KEEP_AFTER_MS).unref())
    },
    now: keep,
    drop(id) {
      cancel(id)
      dropped.add(id)
      kept?.drop(id)
    },
  }
}
