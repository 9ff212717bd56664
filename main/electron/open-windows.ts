import type { BrowserWindow } from 'electron'
import { type KeptWindow, keepWindows, sessionInAddress } from './window-memory.ts'

/** The open windows, each with its name and the session that it shows. Remembers them for the next start. */
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
   * The wanted name if no open window has it, because Electron would refuse it, or another one. A window opens where the last window of its
   * name was.
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

  /** A window has been closed. The last one is still remembered, because closing it may mean leaving the app. */
  remove(window: BrowserWindow, isLeaving: boolean): void {
    this.#kept.delete(window)
    if (this.#kept.size > 0 && !isLeaving) this.#keep()
  }

  /** Closes all windows without asking. The next one opens as the first of them was. */
  destroyAll(): void {
    const kept = [...this.#kept.values()]
    for (const window of this.all()) window.destroy()
    keepWindows(this.#profile, kept)
  }

  #keep(): void {
    keepWindows(this.#profile, [...this.#kept.values()])
  }
}
