import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { planted } from './planted.ts'
import { effectsOf, textOf, type Workbench } from './workbench.ts'

const listed = async (bench: Workbench, args: object): Promise<string> => textOf((await bench.call('list_dir', args)).output)

it('R-17, P2-42: lists direct children by name, folders with a slash and files with their size', async () => {
  const bench = planted({ 'b.txt': 'four', 'a/deep/c.txt': '1', '.hidden': '' })
  const { output, isError, details } = await bench.call('list_dir', {})
  expect({ output, isError, details }).toEqual({
    output: '.hidden (0 bytes)\na/\nb.txt (4 bytes)',
    isError: false,
    details: { path: '.', entries: 3, capped: false },
  })
})

it('S-27: lists the given folder to the requested depth', async () => {
  const bench = planted({ 'a/deep/er/c.txt': '1', 'a/b': '22' })
  expect(await listed(bench, { path: 'a', depth: 2 })).toBe('b (2 bytes)\ndeep/\ndeep/er/')
  expect(await listed(bench, { path: 'a', depth: 9 })).toBe('b (2 bytes)\ndeep/\ndeep/er/\ndeep/er/c.txt (1 bytes)')
})

it('D-51: ignore and respect_git_ignore leave out matching files', async () => {
  const bench = planted({
    '.gitignore': '*.log\n/out\n',
    'a.log': '',
    'b.md': '',
    'out/x': '',
    'src/c.log': '',
    'src/d.ts': '',
    'src/e/f.md': '',
  })
  expect(await listed(bench, { depth: 3, ignore: ['*.md', 'out/', 'src/d.ts', '.git*'] })).toBe(
    'a.log (0 bytes)\nsrc/\nsrc/c.log (0 bytes)\nsrc/e/',
  )
  const seen = '.gitignore (11 bytes)\nb.md (0 bytes)\nsrc/\nsrc/d.ts (0 bytes)\nsrc/e/'
  expect(await listed(bench, { depth: 2, respect_git_ignore: true })).toBe(seen)
  expect(await listed(bench, { depth: 2, file_filtering_options: { respect_git_ignore: true } })).toBe(seen)
  expect(await listed(bench, { respect_git_ignore: false })).toBe('.gitignore (11 bytes)\na.log (0 bytes)\nb.md (0 bytes)\nout/\nsrc/')
})

it('lists .git, node_modules and links to folders without entering them, unless one of them is the given path', async () => {
  const bench = planted({ '.git/config': 'x', 'node_modules/a/b.js': 'x', 'src/a': '' })
  symlinkSync('.', join(bench.root, 'src/circle'))
  expect(await listed(bench, { depth: 5 })).toBe('.git/\nnode_modules/\nsrc/\nsrc/a (0 bytes)\nsrc/circle/')
  expect(await listed(bench, { path: 'node_modules', depth: 2 })).toBe('a/\na/b.js (1 bytes)')
})

it('T-07: shows at most 1000 entries, so that truncation removes none, and the last line says that there are more', async () => {
  const bench = planted(Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`f${String(index).padStart(4, '0')}`, ''])))
  const lines = (await listed(bench, {})).split('\n')
  expect([lines.length, lines[999], lines[1000]]).toEqual([
    1001,
    'f0999 (0 bytes)',
    '(There is more: the first 1000 entries are shown. List one of the folders, or use a smaller depth.)',
  ])
  const long = planted(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${'x'.repeat(200)}${index}`, ''])))
  expect((await listed(long, {})).length).toBeLessThan(30_000)
})

it('an empty folder, a missing folder and a file give different messages', async () => {
  const bench = planted({ 'docs/a': '' })
  mkdirSync(join(bench.root, 'empty'))
  expect([await listed(bench, { path: 'empty' }), await listed(bench, { path: 'doc' }), await listed(bench, { path: 'docs/a' })]).toEqual([
    'The folder is empty.',
    'doc does not exist. Did you mean docs?',
    'docs/a is a file, not a folder.',
  ])
})

it('fault 21: a name with a line break or color codes can neither break the list nor color it', async () => {
  expect(await listed(planted({ 'a\nb\u001b[31m': '' }), {})).toBe(String.raw`a\nb\u{1b}[31m (0 bytes)`)
})

it('listing a folder outside the project is a read effect', async () => {
  const bench = planted({})
  expect(effectsOf(await bench.prepare('list_dir', {}))).toEqual([])
  expect(effectsOf(await bench.prepare('list_dir', { path: '/' }))).toMatchObject([{ kind: 'read', path: '/', outside: true }])
})
