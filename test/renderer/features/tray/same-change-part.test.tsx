import { act, type ReactNode, useState } from 'react'
import { expect, test } from 'vitest'
import { SameChangePart } from '../../../../renderer/features/tray/review/many/same-change-part.tsx'
import { arranged } from '../../../../renderer/features/tray/review/many/same-changes.ts'
import { type ReviewedFile, reviewed, withHunks } from '../../../../renderer/features/tray/review/reviewed-files.ts'
import type { Review } from '../../../../renderer/features/tray/review/use-request-review.ts'
import { type Decided, NOTHING_DECIDED } from '../../../../renderer/state/stores/review-decisions.ts'
import { computeDiff } from '../../../../renderer/ui/diff/compare/compute-diff.ts'
import { openPage } from '../../support/open-page.tsx'

/** A file to which a line was added. */
function changedFile(shown: string): ReviewedFile {
  const before = 'old\n'
  const after = 'old\nnew\n'
  const sides = { before: { kind: 'text', text: before }, after: { kind: 'text', text: after } } as const
  const [file] = reviewed([{ path: `/ws/${shown}`, shown, ...sides }], [])
  if (!file) throw new Error('The file has no review.')
  return withHunks(file, computeDiff({ path: shown, before, after, language: 'text' }).hunks)
}

/** Shows the same change in files of two folders. */
async function openList(canWait: boolean) {
  const { show, page, window } = openPage()
  const [change] = arranged(['a/1', 'a/2', 'b/3', 'b/4'].map(changedFile), NOTHING_DECIDED).same
  if (!change) throw new Error('The files are not folded.')
  function List(): ReactNode {
    const [decided, setDecided] = useState<Decided>(NOTHING_DECIDED)
    const review = { decided, canWait, change: setDecided, current: undefined } as unknown as Review
    return change && <SameChangePart change={change} review={review} />
  }
  await show(<List />)
  const press = (name: string) =>
    act(async () => void page.querySelector(`button[aria-label="${name}"]`)?.dispatchEvent(new window.Event('click', { bubbles: true })))
  const shown = (selector: string) => [...page.querySelectorAll(selector)].map((element) => element.textContent)
  return {
    press,
    folders: () => shown('.meta'),
    choices: () => shown('[data-same-change] button').filter((words) => /^(?:Keep all|Refuse all|Later)$/u.test(words)),
  }
}

test('a change in many files can be left for later: in all of them, in a folder, and in one file, and the list says so', async () => {
  const list = await openList(true)
  expect(list.choices()).toEqual(['Refuse all', 'Later', 'Later', 'Later'])
  await list.press('Decide about the change in a/ later')
  expect(list.folders()).toEqual(['2 files, decide later', '2 files'])
  await list.press('List the 4 files')
  await list.press('Decide about b/3 later')
  expect(list.folders()).toEqual(['2 files, decide later', 'decide later', 'decide later', '2 files, 1 decide later', 'decide later'])
  await list.press('Refuse all 4 files')
  expect(list.folders()[0]).toBe('2 files, refused')
  await list.press('Decide about a/1 later')
  expect(list.folders()[0]).toBe('2 files, 1 refused, 1 decide later')
  await list.press('Decide about 4 files later')
  await list.press('Hide the list of the 4 files')
  expect(list.folders()).toEqual(['2 files, decide later', '2 files, decide later'])
  expect(list.choices()).toEqual(['Keep all', 'Refuse all'])
})

test('later is not offered for a request that must be decided now', async () => {
  const list = await openList(false)
  expect(list.choices()).toEqual(['Refuse all'])
})
