import type { HunkPlace, LinePlace } from './compare/compute-diff.ts'
import { bringLine, type DiffPositions, hunkSpan, scrollToHunk } from './diff-positions.ts'

/** Maximum number of corrections of the scroll position after a jump. They are needed because rows that wrap are taller than estimated. */
const CORRECTIONS = 4

/**
 * Number of frames without movement after which the rows count as still. `MAX_FRAMES` is the number of frames after which following always
 * ends: one second at 60 Hz.
 */
const STILL_FRAMES = 8
const MAX_FRAMES = 60

/** Keeps a bar next to the current hunk, and scrolls to the hunk when it becomes the current one. */
export class HunkFollower {
  #bar: HTMLElement | null = null
  #diff: DiffPositions | null = null
  #hunk: HunkPlace | null = null
  #corrections = 0
  #frame = 0
  #nextUpdate = 0
  readonly #resizes = new ResizeObserver(() => this.#settle(MAX_FRAMES))

  /** Sets the bar. Its parent element also contains the diff, so a change of the parent's size means that rows have moved. */
  takeBar(bar: HTMLElement | null): void {
    this.#bar = bar
    cancelAnimationFrame(this.#nextUpdate)
    this.#resizes.disconnect()
    if (bar?.parentElement) this.#resizes.observe(bar.parentElement)
    this.#update()
  }

  /** Must be called after each drawing, because rows may have moved. */
  drawn(diff: DiffPositions): void {
    this.#diff = diff
    if (this.#hunk) this.#updateInNextFrame()
  }

  goTo(hunk: HunkPlace | null): void {
    this.#hunk = hunk
    this.#corrections = hunk === null ? 0 : CORRECTIONS
    this.#updateInNextFrame()
  }

  /** Scrolls to a line, unless it is visible. */
  bring(place: LinePlace): void {
    if (this.#diff) bringLine(this.#diff, place)
  }

  /**
   * After a change of width, rows that now wrap differently do not move until the drawn lines are measured. This method measures in each
   * frame until nothing moves.
   */
  #settle(frames: number, still = 0): void {
    cancelAnimationFrame(this.#frame)
    const before = this.#bar?.style.cssText
    this.#update()
    const rests = this.#bar?.style.cssText === before ? still + 1 : 0
    if (frames > 0 && rests < STILL_FRAMES) this.#frame = requestAnimationFrame(() => this.#settle(frames - 1, rests))
  }

  /** `goTo` and `drawn` are called right after the page was changed. Measuring at that moment would force a layout. */
  #updateInNextFrame(): void {
    cancelAnimationFrame(this.#nextUpdate)
    this.#nextUpdate = requestAnimationFrame(() => this.#update())
  }

  #update(): void {
    const span = this.#hunk && this.#diff ? hunkSpan(this.#diff, this.#hunk) : null
    if (this.#bar) {
      this.#bar.hidden = span === null
      if (span) Object.assign(this.#bar.style, { top: `${span.top}px`, height: `${span.height}px` })
    }
    if (!this.#hunk || !this.#diff || this.#corrections === 0) return
    this.#corrections = scrollToHunk(this.#diff, this.#hunk) ? this.#corrections - 1 : 0
  }
}
