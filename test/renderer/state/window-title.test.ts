import { describe, expect, test } from 'vitest'
import { windowTitle } from '../../../renderer/state/hooks/use-window-title.ts'

const CALM = { asked: null, needs: 0, unread: 0, first: '', shown: 'March invoices' }

describe('the title of the window', () => {
  test.each([
    ['names the session on screen', CALM, 'March invoices — Countersign'],
    ['is the name of the app before one is open', { ...CALM, shown: '' }, 'Countersign'],
    [
      'says first what waits for a signature, a file by its name',
      { ...CALM, needs: 1, first: 'March invoices', asked: 'Edit src/dates/format.ts' },
      '● Sign: edit format.ts — Countersign',
    ],
    ['and a command as one', { ...CALM, needs: 1, asked: 'Run a command' }, '● Sign: run a command — Countersign'],
    [
      'says that another session needs its user',
      { ...CALM, needs: 1, first: 'PDF worker' },
      '● One session needs you: PDF worker — Countersign',
    ],
    ['and how many do', { ...CALM, needs: 2, first: 'PDF worker' }, '● 2 sessions need you: PDF worker — Countersign'],
    [
      'shortens a title that is a whole request',
      { ...CALM, shown: `Convert all invoices of March to Euro and ${'round them '.repeat(30)}` },
      'Convert all invoices of March to Euro and round… — Countersign',
    ],
    ['says that a turn was finished elsewhere', { ...CALM, unread: 1, first: 'PDF worker' }, '○ Finished: PDF worker — Countersign'],
    ['and how many were', { ...CALM, unread: 3, first: 'PDF worker' }, '○ 3 sessions finished: PDF worker — Countersign'],
    ['also one that has no title yet', { ...CALM, needs: 1 }, '● One session needs you — Countersign'],
  ])('%s', (_, facts, title) => {
    expect(windowTitle(facts)).toBe(title)
  })
})
