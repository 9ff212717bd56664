import { describe, expect, test } from 'vitest'
import { waitingTitle, windowTitle } from '../../../renderer/state/hooks/use-window-title.ts'

const CALM = { asked: null, needs: 0, unread: 0, first: '', shown: 'March invoices' }

describe('the title of the window', () => {
  test.each([
    ['contains the title of the session on screen', CALM, 'March invoices — Countersign'],
    ['is the app’s name if no session is open', { ...CALM, shown: '' }, 'Countersign'],
    [
      'starts with the waiting request',
      { ...CALM, needs: 1, first: 'March invoices', asked: 'edit format.ts' },
      '● Sign: edit format.ts — Countersign',
    ],
    [
      'says that another session needs the user',
      { ...CALM, needs: 1, first: 'PDF worker' },
      '● One session needs you: PDF worker — Countersign',
    ],
    [
      'says how many other sessions need the user',
      { ...CALM, needs: 2, first: 'PDF worker' },
      '● 2 sessions need you: PDF worker — Countersign',
    ],
    [
      'shortens a title that is a long request',
      { ...CALM, shown: `Convert all invoices of March to Euro and ${'round them '.repeat(30)}` },
      'Convert all invoices of March to Euro and round… — Countersign',
    ],
    [
      'says that a turn has finished in another session',
      { ...CALM, unread: 1, first: 'PDF worker' },
      '○ Finished: PDF worker — Countersign',
    ],
    [
      'says how many sessions have finished',
      { ...CALM, unread: 3, first: 'PDF worker' },
      '○ 3 sessions finished: PDF worker — Countersign',
    ],
    [
      'says that another session needs the user even if it has no title yet',
      { ...CALM, needs: 1 },
      '● One session needs you — Countersign',
    ],
  ])('%s', (_, facts, title) => {
    expect(windowTitle(facts)).toBe(title)
  })
})

describe('a waiting request in the title of the window', () => {
  test.each([
    [
      'is shown without the folders of its file',
      { verb: 'Edit', object: 'src/dates/format.ts', path: 'src/dates/format.ts' },
      'edit format.ts',
    ],
    ['keeps each path of a command', { verb: 'Run', object: 'cat src/a.ts | grep b/c', path: null }, 'run cat src/a.ts | grep b/c'],
    ['is its verb alone if it has no object', { verb: 'Plan', object: '', path: null }, 'plan'],
  ])('%s', (_, asked, title) => {
    expect(waitingTitle(asked)).toBe(title)
  })
})
