import { powerSaveBlocker } from 'electron'
import { type Disposable, disposable } from '../../shared/lib/disposable.ts'

/**
 * Calls the listener whenever a turn or a command of an agent begins or ends, with whether any still runs. A turn that waits for the user
 * does not run.
 */
export type FollowActivity = (listener: (isBusy: boolean) => void) => Disposable

/**
 * Keeps the computer from falling asleep by itself while something runs. The screen may still go dark. After disposal the computer may
 * sleep. Call it once, when the app is ready.
 */
export function stayAwake(follow: FollowActivity): Disposable {
  let blocker: number | null = null
  const release = (): void => {
    if (blocker !== null) powerSaveBlocker.stop(blocker)
    blocker = null
  }
  const changes = follow((isBusy) => {
    if (!isBusy) release()
    else blocker ??= powerSaveBlocker.start('prevent-app-suspension')
  })
  return disposable(() => {
    changes.dispose()
    release()
  })
}
