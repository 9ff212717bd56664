import type { Connection } from './connection.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/** Time in ms without a write after which the journal is moved into the file. A running turn writes more often. */
const QUIET_MS = 500
/** If the journal has at most this number of pages, they are moved without starting the other thread. 1 MB takes 2 ms. */
const FEW_PAGES = 250
/** If the journal has more pages than this, they are moved into the file even during a turn. */
const MANY_PAGES = 1_000
/** Interval in ms at which the pages are counted while a turn keeps writing. A count takes 0.1 ms. */
const LOOK_MS = 250
/** Number of pages after which a commit itself moves the journal into the file, although another thread normally does that. */
const LAST_RESORT_PAGES = 16_000

/** Moves the journal into the file, in another thread. Resolves to false if that failed. */
export type CheckpointElsewhere = () => Promise<boolean>

export interface Checkpoints extends Disposable {
  wrote(): void
  /**
   * Uses `elsewhere` for large checkpoints from now on. A checkpoint waits for the disk, and the wait grows with the amount of data that
   * other programs have just written: 75 ms after a command that made 5,000 files.
   */
  moveTo(elsewhere: CheckpointElsewhere): void
}

/** Makes checkpoints while nothing is written. SQLite would make them during a commit, which would then take some milliseconds longer. */
export function createCheckpoints(db: Connection): Checkpoints {
  let elsewhere: CheckpointElsewhere | null = null
  let isStarted = false
  let isRunning = false
  let isDisposed = false
  let lookedAt = 0
  const orLater = (work: () => void): void => {
    try {
      if (!isDisposed && !db.inTransaction) work()
    } catch {
      // The journal keeps everything until a checkpoint succeeds. If the failure is permanent, the next write reports it.
    }
  }
  const make = (): void => void db.pragma('wal_checkpoint(PASSIVE)')
  const makeElsewhere = async (checkpoint: CheckpointElsewhere): Promise<void> => {
    if (isRunning) return
    isStarted = true
    isRunning = true
    const isMade = await checkpoint()
    isRunning = false
    if (!isMade) orLater(make)
  }
  const timer = setTimeout(() => {
    orLater(() => {
      if (elsewhere && (isStarted || waitingPages(db) > FEW_PAGES)) void makeElsewhere(elsewhere)
      else make()
    })
  }, QUIET_MS)
  timer.unref()
  return {
    wrote() {
      timer.refresh()
      if (!elsewhere || isRunning || performance.now() - lookedAt < LOOK_MS) return
      lookedAt = performance.now()
      const checkpoint = elsewhere
      orLater(() => {
        if (waitingPages(db) > MANY_PAGES) void makeElsewhere(checkpoint)
      })
    },
    moveTo(checkpoint) {
      elsewhere = checkpoint
      db.pragma(`wal_autocheckpoint = ${LAST_RESORT_PAGES}`)
    },
    dispose() {
      isDisposed = true
      clearTimeout(timer)
    },
  }
}

/** The number of pages in the journal that are not in the file yet. */
function waitingPages(db: Connection): number {
  const [row] = db.pragma('wal_checkpoint(NOOP)') as readonly { readonly log: number; readonly checkpointed: number }[]
  return row ? row.log - row.checkpointed : 0
}

/** Moves the whole journal into the file, and syncs the file. Returns false if it could not, for example because another process reads the journal. */
export function checkpointAll(db: Connection): boolean {
  if (db.inTransaction) return false
  const [row] = db.pragma('wal_checkpoint(FULL)') as readonly {
    readonly busy: number
    readonly log: number
    readonly checkpointed: number
  }[]
  return row !== undefined && row.busy === 0 && row.log === row.checkpointed
}
