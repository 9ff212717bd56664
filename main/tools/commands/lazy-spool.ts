import type { BlobRef } from '../../../shared/session/events.ts'
import type { Spool } from '../../agent/ports/tool.ts'

/** `capped` means that the store reached its limit and dropped the rest. */
export interface SpooledBytes {
  readonly ref: BlobRef
  readonly capped: boolean
}

/** A spool that opens a file only for larger output, because most commands write little. */
export interface LazySpool {
  /** Does not throw if storage fails, because losing a copy of the output must not make the command fail. */
  write(bytes: Uint8Array): void
  /**
   * The stored bytes. Null if nothing was written, if the output fits in `keep` bytes and `evenIfSmall` is false, or if it could not be
   * stored.
   */
  end(evenIfSmall: boolean): SpooledBytes | null
}

/** Keeps up to `keep` bytes in memory before it opens the spool. */
export function createLazySpool(open: () => Spool, keep: number): LazySpool {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let spool: Spool | 'unopened' | 'given up' = 'unopened'
  const opened = (): Spool | null => {
    if (spool === 'given up') return null
    if (spool !== 'unopened') return spool
    const fresh = open()
    spool = fresh
    for (const bytes of held) fresh.write(bytes)
    held = []
    return fresh
  }
  const orGiveUp = <T>(work: () => T): T | null => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'StorageError') throw error
      spool = 'given up'
      held = []
      return null
    }
  }
  return {
    write(bytes) {
      heldBytes += bytes.length
      if (spool === 'unopened' && heldBytes <= keep) held.push(Uint8Array.from(bytes))
      else orGiveUp(() => opened()?.write(bytes))
    },
    end(evenIfSmall) {
      if (heldBytes === 0 || (spool === 'unopened' && !evenIfSmall)) return null
      const stored = orGiveUp(() => opened()?.end() ?? null)
      return stored && { ref: { hash: stored.hash, bytes: stored.bytes }, capped: stored.capped }
    },
  }
}
