import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { useOneAtATime } from '../../../../renderer/ui/hooks/use-one-at-a-time.ts'
import { openPage } from '../../support/open-page.tsx'

/** A component that reads when `changes` changes. The test answers each read. */
function openReader() {
  const { show } = openPage()
  const reads: { readonly signal: AbortSignal; readonly end: () => void }[] = []
  const readOf = () => (signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    reads.push({ signal, end: resolve })
    return promise
  }
  function Reader({ read, changes }: { readonly read: ReturnType<typeof readOf> | null; readonly changes: number }): ReactNode {
    useOneAtATime(read, changes)
    return null
  }
  return {
    reads,
    readOf,
    change: (read: ReturnType<typeof readOf> | null, changes: number) => show(<Reader read={read} changes={changes} />),
    end: (at: number) => act(async () => reads[at]?.end()),
  }
}

test('changes during a read lead to one more read after it, and the slow read is not aborted', async () => {
  const { reads, readOf, change, end } = openReader()
  const read = readOf()
  for (const changes of [0, 1, 2, 3]) await change(read, changes)
  expect(reads).toHaveLength(1)
  expect(reads[0]?.signal.aborted).toBe(false)
  await end(0)
  expect(reads).toHaveLength(2)
  await end(1)
  expect(reads).toHaveLength(2)
  await change(read, 4)
  expect(reads).toHaveLength(3)
})

test('a new `read` is called at once, aborts the one before it, and drops the call that waited for it', async () => {
  const { reads, readOf, change, end } = openReader()
  const first = readOf()
  await change(first, 0)
  await change(first, 1)
  await change(readOf(), 1)
  expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, false])
  await end(0)
  expect(reads).toHaveLength(2)
  await change(null, 2)
  await end(1)
  expect(reads).toHaveLength(2)
})
