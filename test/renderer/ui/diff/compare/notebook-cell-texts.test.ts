import { expect, test } from 'vitest'
import { notebookCellTexts } from '../../../../../renderer/ui/diff/compare/notebook-cell-texts.ts'

const text = (text: string) => ({ kind: 'text', text }) as const
const notebook = (cells: readonly object[], metadata: object = {}) => text(JSON.stringify({ cells, metadata, nbformat: 4 }))
const file = { path: '/w/book.ipynb', shown: 'book.ipynb' }
const title = { cell_type: 'markdown', source: ['# Title\n', 'Words'] }

test('a notebook is compared by its cell sources, not by its JSON', () => {
  const before = notebook([title, { cell_type: 'code', source: 'print(1)', outputs: [] }])
  const after = notebook([title, { cell_type: 'code', source: ['print(2)\n', 'print(3)'], outputs: [] }])
  expect(notebookCellTexts({ ...file, before, after })).toEqual({
    path: '/w/book.ipynb',
    shown: 'book.py',
    before: text('# Cell 0, markdown\n# Title\nWords\n\n# Cell 1, code\nprint(1)\n'),
    after: text('# Cell 0, markdown\n# Title\nWords\n\n# Cell 1, code\nprint(2)\nprint(3)\n'),
  })
})

test('the cells are shown under a file name with the extension of the notebook’s language', () => {
  const metadata = { language_info: { file_extension: '.jl' } }
  expect(notebookCellTexts({ ...file, before: notebook([], metadata), after: notebook([title], metadata) })?.shown).toBe('book.jl')
})

test.each([
  ['a file that is not a notebook', text('{'), notebook([title])],
  ['a new file', null, notebook([title])],
  ['a change outside the cell sources', notebook([title], { a: 1 }), notebook([title], { a: 2 })],
  ['a changed cell that has outputs', notebook([title]), notebook([{ ...title, source: 'x', outputs: [{ text: 'made up' }] }])],
  ['a change of cells and other fields', notebook([title], { a: 1 }), notebook([{ ...title, source: 'x' }], { a: 2 })],
  ['a file that is too large to read', { kind: 'too_large', bytes: 9e9 } as const, notebook([title])],
])('the file itself is shown for %s', (_, before, after) => {
  expect(notebookCellTexts({ ...file, before, after })).toBe(null)
})
