import { powerSaveBlocker } from 'electron'
import { type Disposable, disposable } from '../../shared/lib/disposable.ts'

/** Turns and commands, as far as the system's sleep is concerned. */
export interface Activity {
  /** Whether a turn or a command of an agent runs. A turn that waits for the user does not run. */
  isBusy(): boolean
  /** Calls the listener when that may have changed. */
  onChange(listener: () => void): Disposable
}

/**
 * Keeps the computer from falling asleep by itself while something runs. The screen may still go dark. After disposal the computer may
 * sleep. Called once, when the app is ready.
 */
export function stayAwake({ isBusy, onChange }: Activity): Disposable {
  let blocker: number | null = null
  const release = (): void => {
    if (blocker !== null) powerSaveBlocker.stop(blocker)
    blocker = null
  }
  const look = (): void => {
    if (!isBusy()) release()
    else blocker ??= powerSaveBlocker.start('prevent-app-suspension')
  }
  const changes = onChange(look)
  look()
  return disposable(() => {
    changes.dispose()
    release()
  })
}
