import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benchOfEachTest } from '../bench-of-each-test.ts'
import { effectsOf } from '../workbench.ts'

const bench = benchOfEachTest()

const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n', 'text'] },
    {
      cell_type: 'code',
      execution_count: 3,
      id: 'c0de',
      metadata: { tags: ['x'] },
      outputs: [
        { name: 'stdout', output_type: 'stream', text: ['1\n', '2\n'] },
        { data: { 'image/png': 'AAAA', 'text/plain': ['<Figure>'] }, metadata: {}, output_type: 'display_data' },
        { ename: 'ValueError', evalue: 'no', output_type: 'error', traceback: ['\u001b[31mlong\u001b[0m'] },
      ],
      source: ['print(1)\n', 'print(2)'],
    },
  ],
  metadata: { kernelspec: { name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
}
const file = (): string => join(bench.root, 'a.ipynb')
const put = (text: string): void => writeFileSync(file(), text)
const now = (): string => readFileSync(file(), 'utf8')
const edit = (args: object) => bench.call('notebook_edit', { file_path: 'a.ipynb', ...args })
const pretty = `${JSON.stringify(NOTEBOOK, null, 1)}\n`

describe('notebook_read', () => {
  const code = '[Cell 1: code, run as [3]]\nprint(1)\nprint(2)\n[Output]\n1\n2\n[Output]\n<Figure>\n(image/png)\n[Output]\nValueError: no'
  it('R-25: shows cells with their numbers and outputs', async () => {
    put(pretty)
    expect((await bench.call('notebook_read', { path: 'a.ipynb' })).output).toBe(`[Cell 0: markdown]\n# Title\ntext\n\n${code}\n`)
    expect((await bench.call('notebook_read', { notebook_path: 'a.ipynb', cell_id: 'c0de' })).output).toBe(code)
    expect((await bench.call('notebook_read', { file_path: 'a.ipynb', cell_idx: 7 })).output).toBe(
      'a.ipynb has no cell 7; it has cells 0 to 1.',
    )
  })
  it('read_file shows the same rendering, which does not count as reading the file itself', async () => {
    put(pretty)
    expect((await bench.call('read_file', { file_path: 'a.ipynb', limit: 3 })).output).toBe(
      '     1\t[Cell 0: markdown]\n     2\t# Title\n     3\ttext\n(The file has 15 lines; continue with offset 4.)\n' +
        '(A rendering of a Jupyter notebook, not its actual text.)',
    )
    expect(await bench.call('write_file', { file_path: 'a.ipynb', content: '{}' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('You have seen a rendering of a.ipynb, not its actual text'),
    })
    expect(now()).toBe(pretty)
  })
  it('a file that is not a notebook is read as text', async () => {
    put('{"cells": 1}')
    expect((await bench.call('read_file', { file_path: 'a.ipynb' })).output).toBe('     1\t{"cells": 1}')
    expect(await bench.call('notebook_read', { file_path: 'a.ipynb' })).toMatchObject({ isError: true })
  })
})

describe('notebook_edit', () => {
  it.each([
    ['one blank', 1],
    ['two blanks', 2],
    ['a tab', '\t'],
    ['nothing', undefined],
  ])('R-26, rule 8: replaces only the bytes of one cell’s source in a file indented by %s', async (_, unit) => {
    put(JSON.stringify(NOTEBOOK, null, unit))
    expect(await edit({ cell_idx: 1, content: 'x = "ä"\ny\n' })).toMatchObject({ isError: false, output: 'Replaced cell 1 of a.ipynb.' })
    const [first, second] = NOTEBOOK.cells
    expect(now()).toBe(JSON.stringify({ ...NOTEBOOK, cells: [first, { ...second, source: ['x = "ä"\n', 'y\n'] }] }, null, unit))
  })
  it('finds a cell by its id, and a source that is a single string stays a single string', async () => {
    put('{"cells": [ {"id":"a", "cell_type" : "raw", "source": "old", "metadata":{}} ],\r\n "nbformat": 4}')
    await edit({ cell_id: 'a', new_source: 'new\nline' })
    expect(now()).toBe('{"cells": [ {"id":"a", "cell_type" : "raw", "source": "new\\nline", "metadata":{}} ],\r\n "nbformat": 4}')
  })
  it.each([0, 1, 2])('inserts a cell at %i, formatted like the others', async (index) => {
    put(pretty)
    await edit({ cell_idx: index, content: 'new\n', cell_type: 'markdown', edit_mode: 'insert' })
    const { cells } = JSON.parse(now()) as { cells: { id: string; source: unknown }[] }
    const fresh = { cell_type: 'markdown', id: cells[index]?.id, metadata: {}, source: ['new\n'] }
    expect(now()).toBe(`${JSON.stringify({ ...NOTEBOOK, cells: NOTEBOOK.cells.toSpliced(index, 0, fresh as never) }, null, 1)}\n`)
  })
  it.each([
    ['intro', 1],
    ['c0de', 2],
    ['cell-0', 1],
  ])('D-51: cell_id %s inserts a cell after that cell, as in other agents', async (cell_id, index) => {
    put(pretty)
    expect(await edit({ cell_id, new_source: 'new', edit_mode: 'insert' })).toMatchObject({
      isError: false,
      output: `Inserted a cell after cell ${cell_id} of a.ipynb.`,
    })
    const { cells } = JSON.parse(now()) as { cells: { source: unknown }[] }
    expect(cells.map(({ source }) => source)).toEqual(NOTEBOOK.cells.map(({ source }) => source).toSpliced(index, 0, ['new']))
  })
  it.each([
    [0, 'code', { execution_count: null, outputs: [] }],
    [1, 'markdown', {}],
    [1, 'raw', {}],
  ])('turns cell %i into a %s cell with the right fields, and leaves other cells unchanged', async (index, cell_type, own) => {
    put(pretty)
    await edit({ cell_idx: index, content: 'new', cell_type })
    const { id, metadata } = NOTEBOOK.cells[index] ?? {}
    const fresh = { cell_type, id, metadata, ...own, source: ['new'] }
    expect(now()).toBe(`${JSON.stringify({ ...NOTEBOOK, cells: NOTEBOOK.cells.with(index, fresh as never) }, null, 1)}\n`)
  })
  it('a cell number given as a string is accepted', async () => {
    put(pretty)
    expect(await edit({ cell_idx: '1', edit_mode: 'delete' })).toMatchObject({ isError: false })
    expect(now()).toBe(`${JSON.stringify({ ...NOTEBOOK, cells: NOTEBOOK.cells.slice(0, 1) }, null, 1)}\n`)
  })
  it('T-19: if two cells have the same id, neither is chosen', async () => {
    const twins = JSON.stringify({ ...NOTEBOOK, cells: [NOTEBOOK.cells[0], NOTEBOOK.cells[0]] })
    put(twins)
    expect(await edit({ cell_idx: 'intro', content: 'x' })).toMatchObject({
      isError: true,
      output: 'a.ipynb was not changed: 2 cells have the id intro. Name the cell by its number.',
    })
    expect(now()).toBe(twins)
  })
  it('an unchanged source is not written again, and needs no signature', async () => {
    put(pretty)
    const prepared = await bench.prepare('notebook_edit', { file_path: 'a.ipynb', cell_idx: 0, content: '# Title\ntext' })
    expect(effectsOf(prepared)).toEqual([])
    expect(await bench.commit(prepared)).toMatchObject({
      isError: false,
      output: 'Cell 0 of a.ipynb already has this content. Nothing was written.',
    })
  })
  it('preparing the same call again gives the same effects', async () => {
    put(pretty)
    const args = { file_path: 'a.ipynb', cell_idx: 1, content: 'x', edit_mode: 'insert' }
    expect(effectsOf(await bench.prepare('notebook_edit', args))).toEqual(effectsOf(await bench.prepare('notebook_edit', args)))
  })
  it('inserts the first cell', async () => {
    put('{\n "cells": [],\n "nbformat": 4\n}')
    await edit({ cell_idx: 0, content: 'x', edit_mode: 'insert' })
    expect(JSON.parse(now())).toEqual({
      cells: [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['x'] }],
      nbformat: 4,
    })
  })
  it.each([0, 1])('deletes cell %i', async (index) => {
    put(pretty)
    await edit({ cell_idx: index, edit_mode: 'delete' })
    expect(now()).toBe(`${JSON.stringify({ ...NOTEBOOK, cells: NOTEBOOK.cells.toSpliced(index, 1) }, null, 1)}\n`)
  })
  it.each([
    ['a missing cell', { cell_idx: 2, content: 'x' }, 'a.ipynb was not changed: There is no cell 2. It has cells 0 to 1.'],
    ['an unknown id', { cell_idx: 'zz', content: 'x' }, 'a.ipynb was not changed: No cell has the id zz. It has cells 0 to 1.'],
    [
      'an omission (D-52)',
      { cell_idx: 0, content: 'x\n# ... rest of the code unchanged' },
      'content omits code: "# ... rest of the code unchanged". It replaces the whole source of the cell, so include all of the code.',
    ],
    ['an edit without content', { cell_idx: 0 }, 'content is missing. It is needed to replace a cell.'],
  ])('%s is refused', async (_, args, message) => {
    put(pretty)
    expect(await edit(args)).toEqual({ output: message, isError: true, details: null })
    expect(now()).toBe(pretty)
  })
})

describe('read_many_files', () => {
  it('S-27: reads files by path and glob, and lists unmatched patterns and binary files', async () => {
    writeFileSync(join(bench.root, 'a.md'), 'one\n')
    writeFileSync(join(bench.root, 'b.md'), 'two\n')
    writeFileSync(join(bench.root, 'big.md'), 'x'.repeat(40_000))
    writeFileSync(join(bench.root, 'c.bin'), Buffer.from([0, 1]))
    const { output, isError, details } = await bench.call('read_many_files', { paths: ['c.bin', '*.md', 'a.md', 'gone.txt'] })
    expect({ output, isError, details }).toEqual({
      output:
        '--- a.md ---\n     1\tone\n--- b.md ---\n     1\ttwo\n--- gone.txt ---\n(gone.txt does not exist. Search for the file by name.)\n' +
        'Not shown, because they do not fit or are not text: c.bin, big.md. Read them one by one.',
      isError: false,
      details: {
        read: ['a.md', 'b.md'],
        left: ['c.bin', 'big.md', 'gone.txt'],
        sections: [
          { path: 'a.md', lines: 1, numbered: 1 },
          { path: 'b.md', lines: 1, numbered: 1 },
          { path: 'gone.txt', lines: 1, numbered: 0 },
        ],
      },
    })
    const seen = (name: string) => bench.memory.seen.get(join(bench.root, name))
    expect([seen('a.md') !== null, seen('big.md')]).toEqual([true, null])
  })
  it('a glob may begin with the path of the working folder, but is refused if it leaves that folder or has .. after a wildcard', async () => {
    mkdirSync(join(bench.root, 'src'))
    writeFileSync(join(bench.root, 'src/a.ts'), 'x')
    expect(await bench.call('read_many_files', { paths: [`${bench.root}/src/*.ts`] })).toMatchObject({ details: { read: ['src/a.ts'] } })
    const outputs = ['../*.ts', '*/../*.ts'].map(async (path) => (await bench.call('read_many_files', { paths: [path] })).output)
    expect(await Promise.all(outputs)).toEqual([
      '../*.ts: a glob cannot leave the working directory. Name files outside it one by one.',
      '*/../*.ts contains ".." after a wildcard. Name the folder first, then the wildcards below it.',
    ])
  })
  it('T-04: if nothing could be read, the call fails', async () => {
    expect(await bench.call('read_many_files', { paths: ['gone.txt'] })).toMatchObject({
      isError: true,
      output: '--- gone.txt ---\n(gone.txt does not exist. Search for the file by name.)',
    })
  })
  it('a glob skips ignored files, and the result says if more files match than are read', async () => {
    for (let index = 0; index < 101; index++) writeFileSync(join(bench.root, `f${index}.txt`), 'x')
    mkdirSync(join(bench.root, 'node_modules'))
    writeFileSync(join(bench.root, 'node_modules/a.md'), 'theirs')
    writeFileSync(join(bench.root, 'b.md'), 'ours')
    const { details, output } = await bench.call('read_many_files', { paths: ['**/*.txt', '**/*.md'] })
    expect(details).toMatchObject({ read: expect.objectContaining({ length: 101 }), left: [] })
    expect(output).toMatch(
      /\n--- b\.md ---\n {5}1\tours\n\*\*\/\*\.txt matches more files; only the newest 100 were considered\. Use a narrower pattern for the others\.$/u,
    )
    expect(await bench.call('read_many_files', { paths: ['node_modules/*.md'] })).toMatchObject({
      details: { read: ['node_modules/a.md'] },
    })
  })
})
