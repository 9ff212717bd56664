import type { BlobRef } from '../../shared/session/events.ts'
import type { Spool } from '../agent/ports/tool.ts'

/** A spool that is opened when it is worth a file: most commands write little. */
export interface LazySpool {
  write(bytes: Uint8Array): void
  /** The stored bytes. Null: nothing was written, or no more than `keep` and `evenIfSmall` was not asked for. */
  end(evenIfSmall: boolean): BlobRef | null
}

/** Holds up to `keep` bytes in memory before it opens the spool. */
export function createLazySpool(open: () => Spool, keep: number): LazySpool {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let spool: Spool | null = null
  const opened = (): Spool => {
    if (spool) return spool
    spool = open()
    for (const bytes of held) spool.write(bytes)
    held = []
    return spool
  }
  return {
    write(bytes) {
      heldBytes += bytes.length
      if (spool || heldBytes > keep) opened().write(bytes)
      else held.push(bytes.slice())
    },
    end(evenIfSmall) {
      if (!spool && (heldBytes === 0 || !evenIfSmall)) return null
      const stored = opened().end()
      return stored && { hash: stored.hash, bytes: stored.bytes }
    },
  }
}
