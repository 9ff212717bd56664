import { afterEach, describe, expect, test, vi } from 'vitest'
import { withProgress } from '../../main/bootstrap/say.mjs'

afterEach(() => void vi.useRealTimers())

describe('a step that prints nothing for a minute', () => {
  test('shows a line at least every 5 s until it ends, and none after that', async () => {
    vi.useFakeTimers()
    const start = Date.now()
    const said: { readonly atMs: number; readonly line: string }[] = []
    vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push({ atMs: Date.now() - start, line }))
    const silent = Promise.withResolvers<string>()
    const step = withProgress(
      'Fetching',
      () => '3 MB',
      () => silent.promise,
    )
    await vi.advanceTimersByTimeAsync(60_000)
    const moments = [0, ...said.map(({ atMs }) => atMs), 60_000]
    expect(Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? 0)))).toBeLessThanOrEqual(5_000)
    expect(said.slice(0, 2)).toEqual([
      { atMs: 0, line: 'countersign: Fetching …' },
      { atMs: 4_000, line: 'countersign: Fetching: 3 MB, 4 s' },
    ])
    silent.resolve('done')
    expect(await step).toBe('done')
    const count = said.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said.length).toBe(count)
  })

  test('prints no more lines after a failure', async () => {
    vi.useFakeTimers()
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const fails = () => Promise.reject(new Error('no space'))
    await expect(withProgress('Fetching', () => '', fails)).rejects.toThrow('no space')
    expect(vi.getTimerCount()).toBe(0)
  })
})
