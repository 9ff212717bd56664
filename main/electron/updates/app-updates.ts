import type { UpdateState, UpdatesWanted } from '../../../shared/api/updates.ts'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Updates } from '../../host.ts'
import type { UpdateMeans, UpdateSource } from './electron-updater-source.ts'

/** When to look for new versions, in ms: after the app has started, and then at this interval. */
const FIRST_LOOK_MS = 10_000
const LOOK_EVERY_MS = 4 * 3_600_000

export interface AppUpdatesParts {
  readonly means: UpdateMeans
  readonly source: UpdateSource
  readonly now: () => number
  /** Asks the user if something runs, closes the app, and then calls `install`. */
  readonly quit: () => void
}

/** Looks for new versions and downloads them. A version is installed only after the app has closed, so it never interrupts running work. */
export class AppUpdates implements Updates {
  readonly #parts: AppUpdatesParts
  readonly #changed = new Emitter<void>()
  #state: UpdateState
  #restarts = false
  /** The user's setting for new versions. */
  #wanted: () => UpdatesWanted = () => 'off'

  constructor(parts: AppUpdatesParts) {
    this.#parts = parts
    this.#state = parts.means.kind === 'none' ? { kind: 'unavailable', why: parts.means.why } : { kind: 'up_to_date', checkedAt: null }
  }

  readonly current = (): UpdateState => this.#state
  readonly onChange = (listener: () => void): Disposable => this.#changed.event(listener)

  /** Starts to look for new versions regularly, unless the setting is `off`. */
  start(wanted: () => UpdatesWanted): Disposable {
    this.#wanted = wanted
    if (this.#parts.means.kind === 'none') return disposable(() => {})
    const look = (): void => {
      if (wanted() !== 'off') void this.look()
    }
    const first = setTimeout(look, FIRST_LOOK_MS)
    const later = setInterval(look, LOOK_EVERY_MS)
    first.unref()
    later.unref()
    return disposable(() => {
      clearTimeout(first)
      clearInterval(later)
    })
  }

  readonly look = async (): Promise<void> => {
    const { means, source, now } = this.#parts
    const { kind } = this.#state
    if (means.kind === 'none' || kind === 'looking' || kind === 'downloading' || kind === 'ready') return
    this.#become({ kind: 'looking' })
    try {
      const found = await source.look()
      if (found === null) return this.#become({ kind: 'up_to_date', checkedAt: now() })
      this.#become({ kind: 'found', version: found.version, by: means.kind === 'package' ? 'package' : 'download' })
      if (means.kind === 'itself' && this.#wanted() === 'install') await this.download()
    } catch (error) {
      this.#become({ kind: 'failed', trouble: notFound(error) })
    }
  }

  readonly download = async (): Promise<void> => {
    const found = this.#state
    if (found.kind !== 'found' || found.by !== 'download') return
    const { version } = found
    this.#become({ kind: 'downloading', version, percent: 0 })
    try {
      await this.#parts.source.download((percent) => this.#become({ kind: 'downloading', version, percent }))
      this.#become({ kind: 'ready', version })
    } catch (error) {
      this.#become({ kind: 'failed', trouble: notDownloaded(version, error) })
    }
  }

  readonly restart = (): void => {
    if (this.#state.kind !== 'ready') return
    this.#restarts = true
    this.#parts.quit()
  }

  /** The user canceled the restart, so the next quit does not restart the app. */
  stay(): void {
    this.#restarts = false
  }

  /**
   * Installs the downloaded version. To be called when everything is closed. Returns false if there is nothing to install, true if Electron
   * now quits by itself. Throws if the app could not be replaced.
   */
  install(): boolean {
    if (this.#state.kind !== 'ready' || (!this.#restarts && this.#wanted() !== 'install')) return false
    this.#parts.source.install(this.#restarts)
    return true
  }

  #become(state: UpdateState): void {
    this.#state = state
    this.#changed.fire()
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0] : String(error)) ?? ''

const notFound = (error: unknown): Trouble => ({
  code: 'no_update_feed',
  what: `Looking for a new version failed: ${reasonOf(error)}`,
  kept: 'This version keeps working.',
  todo: 'Look again later. If this happens every time, download the new version by hand.',
})

const notDownloaded = (version: string, error: unknown): Trouble => ({
  code: 'update_not_downloaded',
  what: `Version ${version} could not be downloaded: ${reasonOf(error)}`,
  kept: 'Nothing was installed. This version keeps working.',
  todo: 'Look again later. If this happens every time, download the new version by hand.',
})
