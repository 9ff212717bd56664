import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { type Settled, useSettled } from '../../../../renderer/ui/hooks/use-settled.ts'
import { openPage } from '../../support/open-page.tsx'

/** What happens to a component: what it shows changes, the work it started ends, or it is told to work again. */
type Step =
  | { readonly show: string | null; readonly changes?: number }
  | { readonly ends: string; readonly with: string | null }
  | { readonly again: 'now' | 'as at first' }

/** The steps, and the works that were started. Work is named after its key and how often it was started: "a1". */
async function settled(steps: readonly Step[]) {
  const { show, page } = openPage()
  const works = new Map<string, PromiseWithResolvers<string>>()
  const seen: Settled<string>[] = []
  const workOf = (key: string) => () => {
    const work = Promise.withResolvers<string>()
    const count = [...works.keys()].filter((name) => name.startsWith(key)).length
    works.set(`${key}${count + 1}`, work)
    return work.promise
  }
  function Reader({ shown, changes }: { readonly shown: string | null; readonly changes: number }): ReactNode {
    const now = useSettled(shown, shown === null ? null : workOf(shown), [changes])
    seen.push(now)
    return `${now.value} ${now.last}`
  }
  for (const step of steps) {
    if ('show' in step) await show(<Reader shown={step.show} changes={step.changes ?? 0} />)
    else if ('again' in step) await act(async () => void (step.again === 'now' ? seen.at(-1) : seen[0])?.again())
    else
      await act(async () => {
        const work = works.get(step.ends)
        if (step.with === null) work?.reject(new Error('It failed.'))
        else work?.resolve(step.with)
      })
  }
  return { shown: page.textContent, started: [...works.keys()] }
}

const first = [{ show: 'a' }, { ends: 'a1', with: 'A' }] as const

test.each<readonly [string, readonly Step[], string, readonly string[]]>([
  ['the value of work is shown', first, 'A A', ['a1']],
  ['until the first value arrives, there is none', [{ show: 'a' }], 'null null', ['a1']],
  ['until the value for a new key arrives, only the last value is known', [...first, { show: 'b' }], 'null A', ['a1', 'b1']],
  [
    'a late value for an earlier key is dropped',
    [{ show: 'a' }, { show: 'b' }, { ends: 'b1', with: 'B' }, { ends: 'a1', with: 'A' }],
    'B B',
    ['a1', 'b1'],
  ],
  [
    'a late value for an earlier key does not take the place of one that is still to come',
    [{ show: 'a' }, { show: 'b' }, { ends: 'a1', with: 'A' }],
    'null null',
    ['a1', 'b1'],
  ],
  [
    'after a change, the value stays until the new one arrives, and a late one is dropped',
    [...first, { show: 'a', changes: 1 }, { show: 'a', changes: 2 }, { ends: 'a2', with: 'old' }],
    'A A',
    ['a1', 'a2', 'a3'],
  ],
  ['work that fails leaves the last value', [...first, { again: 'now' }, { ends: 'a2', with: null }], 'A A', ['a1', 'a2']],
  [
    'after a failure, work can be started again',
    [{ show: 'a' }, { ends: 'a1', with: null }, { again: 'now' }, { ends: 'a2', with: 'A' }],
    'A A',
    ['a1', 'a2'],
  ],
  [
    'work that fails for a new key leaves the last value, which is not the value for that key',
    [...first, { show: 'b' }, { ends: 'b1', with: null }],
    'null A',
    ['a1', 'b1'],
  ],
  [
    'the value of work that `again` replaced is dropped',
    [{ show: 'a' }, { again: 'now' }, { ends: 'a2', with: 'new' }, { ends: 'a1', with: 'old' }],
    'new new',
    ['a1', 'a2'],
  ],
  [
    '`again` of an earlier render means the key that is shown now',
    [...first, { show: 'b' }, { again: 'as at first' }, { ends: 'b2', with: 'B' }, { ends: 'b1', with: 'old' }],
    'B B',
    ['a1', 'b1', 'b2'],
  ],
  ['while there is nothing to start, `again` starts nothing', [{ show: null }, { again: 'now' }], 'null null', []],
  [
    'a value that arrives when there is nothing to start any more is dropped',
    [{ show: 'a' }, { show: null }, { ends: 'a1', with: 'A' }],
    'null null',
    ['a1'],
  ],
])('%s', async (_, steps, shown, started) => {
  expect(await settled(steps)).toEqual({ shown, started })
})

test('work that fails before it returns a promise counts as failed work', async () => {
  const { show, page } = openPage()
  function Reader({ fails }: { readonly fails: boolean }): ReactNode {
    const start = (): Promise<string> => {
      if (fails) throw new Error('It failed.')
      return Promise.resolve('A')
    }
    return useSettled('a', start, [fails]).value
  }
  await show(<Reader fails={false} />)
  await show(<Reader fails />)
  expect(page.textContent).toBe('A')
})
