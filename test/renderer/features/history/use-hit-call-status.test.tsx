import { act, type ReactNode } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { entryKey, type HitCallStatus, useHitCallStatus } from '../../../../renderer/features/history/use-hit-call-status.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { FoundIn, HistoryHit } from '../../../../shared/api/history.ts'
import { SessionId } from '../../../../shared/lib/ids.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { openPage } from '../../support/open-page.tsx'

const sessionId = SessionId.parse('01979f3e-6b2a-7c3d-8e4f-5a6b7c8d9e0f')

const hit = (item: number, foundIn: FoundIn = 'run'): HistoryHit => ({ sessionId, item, foundIn }) as HistoryHit

/** Opens a list of hits, each of which belongs to a refused call. Main answers each request after `latencyMs`. */
function openList(latencyMs = 0) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { show } = openPage()
  const requested: number[] = []
  const shown: number[] = []
  const page = async ({ before }: { readonly before: number }) => {
    requested.push(before - 1)
    await new Promise((resolve) => setTimeout(resolve, latencyMs))
    return { firstItem: before - 1, items: [{ kind: 'call', status: 'refused', approval: null, signedBy: null } as unknown as CallItem] }
  }
  const desk = { connection: { client: { sessions: { page } } } } as unknown as Desk
  let marks: ReadonlyMap<string, HitCallStatus> = new Map()
  function Reader({ hits }: { readonly hits: readonly HistoryHit[] }): ReactNode {
    marks = useHitCallStatus(hits)
    shown.push(hits.filter((one) => marks.has(entryKey(one))).length)
    return null
  }
  return {
    requested,
    /** Number of listed hits with a mark, at each rendering. */
    shown,
    list: (hits: readonly HistoryHit[]) =>
      show(
        <DeskContext value={desk}>
          <Reader hits={hits} />
        </DeskContext>,
      ),
    wait: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    markOf: (one: HistoryHit) => marks.get(entryKey(one)),
  }
}

test('each call among the hits is requested once, but messages and answers are not requested', async () => {
  const page = openList()
  await page.list([hit(3), hit(3, 'output'), hit(1, 'you'), hit(2, 'answer'), { ...hit(0), item: null }])
  await page.wait(1_000)
  expect(page.requested).toEqual([3])
  expect(page.markOf(hit(3))?.kind).toBe('refused')
})

test('over a slow connection, the marks of the first hits wait for one answer and not for one answer per hit', async () => {
  const page = openList(100)
  await page.list(Array.from({ length: 20 }, (_, at) => hit(at)))
  await page.wait(200)
  expect(page.requested).toHaveLength(20)
  await page.wait(100)
  expect(page.shown.at(-1)).toBe(20)
})

test('a list that is replaced quickly causes no requests', async () => {
  const page = openList()
  await page.list([hit(3)])
  await page.wait(100)
  await page.list([hit(4)])
  await page.wait(1_000)
  expect(page.requested).toEqual([4])
})

test('hits keep their status marks while more hits are listed', async () => {
  const page = openList()
  const hits = Array.from({ length: 50 }, (_, at) => hit(at))
  await page.list(hits)
  await page.wait(1_000)
  expect(page.shown.at(-1)).toBe(50)
  page.shown.length = 0
  await page.list([...hits, hit(50)])
  await page.wait(1_000)
  expect([Math.min(...page.shown), page.shown.at(-1)]).toEqual([50, 51])
})
