import { beforeEach, expect, test, vi } from 'vitest'
import type { HunkPlace } from '../../../../renderer/ui/diff/compare/compute-diff.ts'
import type { DiffPositions } from '../../../../renderer/ui/diff/diff-positions.ts'
import { HunkFollower } from '../../../../renderer/ui/diff/hunk-follower.ts'

const first = { line: 1, side: 'additions' } as const
const hunk = { first, last: first } as HunkPlace

let frames: (() => void)[] = []

beforeEach(() => {
  frames = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []))
  return () => vi.unstubAllGlobals()
})

function drawnBy(follower: HunkFollower) {
  const getLinePosition = vi.fn<DiffPositions['getLinePosition']>(() => ({ top: 0, height: 18 }))
  follower.drawn({ node: { parentElement: null } as HTMLElement, getLinePosition })
  return getLinePosition
}

const drawFrame = (): void => frames.splice(0).forEach((draw) => draw())

test('lines are not measured immediately after a diff is drawn or a jump is requested, but in the next frame', () => {
  const follower = new HunkFollower()
  const atFirst = drawnBy(follower)
  follower.goTo(hunk)
  expect(atFirst).not.toHaveBeenCalled()
  drawFrame()
  expect(atFirst).toHaveBeenCalled()
  const again = drawnBy(follower)
  follower.goTo(hunk)
  expect(again).not.toHaveBeenCalled()
  drawFrame()
  expect(again).toHaveBeenCalled()
})

test('of two jumps in one frame, only the last is measured, and a removed diff is not measured', () => {
  const follower = new HunkFollower()
  drawnBy(follower)
  follower.goTo(hunk)
  follower.goTo(hunk)
  expect(frames).toHaveLength(1)
  follower.takeBar(null)
  expect(frames).toHaveLength(0)
})
