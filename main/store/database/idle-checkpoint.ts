import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { Connection } from './connection.ts'

/** Quiet, in ms, after which the journal is moved into the file: off the path of a running turn, which writes more often than this. */
const QUIET_MS = 500

export interface IdleCheckpoint extends Disposable {
  wrote(): void
}

/** A checkpoint costs some milliseconds of the commit that triggers it; made while nothing happens it costs nobody anything. */
export function createIdleCheckpoint(db: Connection): IdleCheckpoint {
  const timer = setTimeout(() => {
    try {
      db.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // The journal keeps everything until the next one succeeds; what really fails is told by the next write.
    }
  }, QUIET_MS)
  timer.unref()
  return {
    wrote: () => void timer.refresh(),
    dispose: () => clearTimeout(timer),
  }
}
