import type { BrowserWindow } from 'electron'
import { type KeptWindow, keepWindows, sessionInAddress } from './window-memory.ts'

/** The open windows, each with its name and the session it shows. They are stored for the next start. */
export class OpenWindows {
  readonly #profile: string
  readonly #kept = new Map<BrowserWindow, KeptWindow>()

  constructor(profile: string) {
    this.#profile = profile
  }

  get size(): number {
    return this.#kept.size
  }

  readonly all = (): readonly BrowserWindow[] => [...this.#kept.keys()]

  /**
   * Returns `wanted` if no open window has this name, otherwise a free name. Electron refuses names in use. A window opens at the last
   * position of its name.
   */
  freeName(wanted: string | null): string {
    const used = new Set([...this.#kept.values()].map(({ name }) => name))
    if (wanted !== null && !used.has(wanted)) return wanted
    let number = 1
    while (used.has(`desk-${number}`)) number++
    return `desk-${number}`
  }

  add(window: BrowserWindow, name: string): void {
    this.#kept.set(window, { name, sessionId: null })
    window.webContents.on('did-navigate-in-page', (_event, url) => {
      const sessionId = sessionInAddress(url)
      if (!this.#kept.has(window) || this.#kept.get(window)?.sessionId === sessionId) return
      this.#kept.set(window, { name, sessionId })
      this.#keep()
    })
  }

  /** Removes a closed window. The last window stays in the stored list, because closing it may quit the app. */
  remove(window: BrowserWindow, isLeaving: boolean): void {
    this.#kept.delete(window)
    if (this.#kept.size > 0 && !isLeaving) this.#keep()
  }

  /** Closes all windows without a question. They stay in the stored list. */
  destroyAll(): void {
    const kept = [...this.#kept.values()]
    for (const window of this.all()) window.destroy()
    keepWindows(this.#profile, kept)
  }

  #keep(): void {
    keepWindows(this.#profile, [...this.#kept.values()])
  }
}
