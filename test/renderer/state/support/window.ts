import { afterEach, beforeEach, vi } from 'vitest'

/** What the state layer needs of a window: frames that a test draws by hand. */
export interface TestWindow {
  /** Draws one frame: everything that was asked for it runs. */
  draw(): void
  /** Frames asked for and not drawn yet. */
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
