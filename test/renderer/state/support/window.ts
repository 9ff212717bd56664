import { afterEach, beforeEach, vi } from 'vitest'

/** The parts of a window that the state layer needs. The test draws each frame. */
export interface TestWindow {
  /** Draws one frame: runs everything that was scheduled for it. */
  draw(): void
  /** The number of frames that were requested but not drawn yet. */
  readonly asked: number
}

/** Gives each test of a file its own window. */
export function testWindow(): TestWindow {
  let frames = new Map<number, () => void>()
  let last = 0
  beforeEach(() => {
    frames = new Map()
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
      frames.set(++last, run)
      return last
    })
    vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
  })
  afterEach(() => vi.unstubAllGlobals())
  return {
    draw() {
      const due = [...frames.values()]
      frames.clear()
      for (const run of due) run()
    },
    get asked() {
      return frames.size
    },
  }
}
