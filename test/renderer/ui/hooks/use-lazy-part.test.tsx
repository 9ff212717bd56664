import { act, type ReactNode, useLayoutEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LazyState, LazyPart, useLazyPart } from '../../../../renderer/ui/hooks/use-lazy-part.ts'
import { type OpenPage, openPage } from '../../support/open-page.tsx'

let root: OpenPage['root']
let page: OpenPage['page']
let show: OpenPage['show']
let last: LazyState<string>

function Reader({ part }: { readonly part: LazyPart<string> }): ReactNode {
  last = useLazyPart(part)
  return last.kind === 'here' ? last.value : last.kind
}

beforeEach(() => {
  ;({ root, page, show } = openPage())
})

afterEach(() => void vi.useRealTimers())

test('a module that arrives between a component’s render and its effects is shown', async () => {
  // The test uses the scheduler of the page instead of the one of `act`, because the page's scheduler lets promises settle before it runs
  // effects.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const answer = Promise.withResolvers<string>()
  const part = new LazyPart(() => answer.promise)
  part.fetch()
  function Sibling(): ReactNode {
    useLayoutEffect(() => answer.resolve('the part'), [])
    return null
  }
  root.render([<Reader key="r" part={part} />, <Sibling key="s" />])
  await vi.waitFor(() => expect(page.textContent).toBe('the part'))
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})

test('a module is loaded once for all its readers, even for a reader that starts during loading', async () => {
  const answer = Promise.withResolvers<string>()
  const load = vi.fn(() => answer.promise)
  const part = new LazyPart(load)
  part.fetch()
  await show([<Reader key="1" part={part} />, <Reader key="2" part={part} />])
  expect(page.textContent).toBe('comingcoming')
  await act(async () => answer.resolve('here;'))
  expect(page.textContent).toBe('here;here;')
  expect(load).toHaveBeenCalledTimes(1)
})

test('a failure reaches every reader with its reason, and a retry loads again', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('gone')).mockResolvedValueOnce('the part')
  const part = new LazyPart(load)
  await show(<Reader part={part} />)
  expect(last).toMatchObject({ kind: 'failed', message: 'gone' })
  await act(async () => last.kind === 'failed' && last.retry())
  expect(page.textContent).toBe('the part')
})

test('a module that has not loaded after 20 seconds counts as failed, but is shown if it arrives later', async () => {
  vi.useFakeTimers()
  const answer = Promise.withResolvers<string>()
  const part = new LazyPart(() => answer.promise)
  await show(<Reader part={part} />)
  await act(async () => vi.advanceTimersByTime(30_000))
  expect(last).toMatchObject({ kind: 'failed', message: 'no answer within 20 seconds' })
  await act(async () => answer.resolve('the part'))
  expect(page.textContent).toBe('the part')
})

test('after a failed preload, or once a failure is no longer shown, the next reader loads again', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockRejectedValueOnce(new Error('still offline'))
    .mockResolvedValueOnce('the part')
  const part = new LazyPart(load)
  part.fetch()
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  await new Promise((resolve) => setImmediate(resolve))
  await show(<Reader part={part} />)
  expect(last).toMatchObject({ kind: 'failed', message: 'still offline' })
  await show(null)
  await show(<Reader part={part} />)
  expect(page.textContent).toBe('the part')
})
