import { act, type ReactNode } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useElapsed } from '../../../../renderer/ui/hooks/use-elapsed.ts'
import { openPage } from '../../support/open-page.tsx'

/** Shows a wait. `rendered` contains the shown ms of each rendering. */
function openWait() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { show } = openPage()
  const rendered: number[] = []
  function Wait({ since, until = null }: { readonly since: number | null; readonly until?: number | null }): ReactNode {
    rendered.push(useElapsed(since, until))
    return null
  }
  return {
    rendered,
    since: (since: number | null, until: number | null = null) => show(<Wait since={since} until={until} />),
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
  }
}

test('a wait of less than a second is rendered once', async () => {
  const wait = openWait()
  await wait.since(Date.now())
  await wait.pass(999)
  expect(wait.rendered).toEqual([0])
})

test('a wait is updated at each full second since it began, also if it is shown later', async () => {
  const wait = openWait()
  await wait.since(Date.now() - 300)
  await wait.pass(699)
  expect(wait.rendered).toEqual([300])
  await wait.pass(1)
  await wait.pass(1_000)
  expect(wait.rendered).toEqual([300, 1_000, 2_000])
})

test('a new wait starts at zero, and a finished wait shows its total duration and no longer updates', async () => {
  const wait = openWait()
  const began = Date.now()
  await wait.since(began)
  await wait.pass(2_500)
  const next = Date.now()
  await wait.since(next)
  expect(wait.rendered.at(-1)).toBe(0)
  await wait.since(next, next + 700)
  const count = wait.rendered.length
  await wait.pass(5_000)
  expect([wait.rendered.at(-1), wait.rendered.length]).toEqual([700, count])
})
