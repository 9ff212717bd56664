import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { truncateToolOutput } from '../../main/tools/truncation/truncate.ts'
import { type Workbench, createWorkbench, effectsOf, textOf } from './workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.dispose())

const put = (name: string, content = '', age = 0): void => {
  const path = join(bench.root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  const when = new Date(Date.UTC(2026, 0, 1) - age * 1000)
  utimesSync(path, when, when)
}
const grep = (args: object) => bench.call('grep', args)
const glob = (args: object) => bench.call('glob', args)

describe('grep', () => {
  it('P3-27: lists path:line:text from the working folder, and the screen gets the hits', async () => {
    put('src/a.ts', 'one\r\ntwo\n')
    put('src/b.ts', 'two\n')
    expect(await grep({ pattern: 'tw.', path: 'src' })).toEqual({
      output: 'src/a.ts:2:two\nsrc/b.ts:1:two',
      isError: false,
      details: {
        pattern: 'tw.',
        matches: 2,
        files: 2,
        capped: false,
        hits: [
          { path: 'src/a.ts', line: 2, text: 'two' },
          { path: 'src/b.ts', line: 1, text: 'two' },
        ],
      },
    })
    expect((await grep({ pattern: 'two', path: 'src/a.ts' })).output).toBe('src/a.ts:2:two')
  })

  it('context lines stand with a dash, groups apart', async () => {
    put('a.txt', 'a\nhit\nb\nc\nd\nhit\ne\n')
    put('b.txt', 'hit\n')
    expect((await grep({ pattern: 'hit', context_lines: 1 })).output).toBe(
      'a.txt-1-a\na.txt:2:hit\na.txt-3-b\n--\na.txt-5-d\na.txt:6:hit\na.txt-7-e\n--\nb.txt:1:hit',
    )
  })

  it('D-38: lists files, or counts', async () => {
    put('a.txt', 'x\nx\n')
    put('b.txt', 'x\n')
    expect((await grep({ pattern: 'x', output_mode: 'files_with_matches' })).output).toBe('a.txt\nb.txt')
    expect((await grep({ pattern: 'x', output_mode: 'count' })).output).toBe('a.txt:2\nb.txt:1')
  })

  it('P3-29: case, include and multiline reach the search', async () => {
    put('a.ts', 'Word\nnext\n')
    put('a.md', 'Word\n')
    expect((await grep({ pattern: 'word' })).output).toBe('No matches.')
    expect((await grep({ pattern: 'word', case_sensitive: false, include: '*.ts' })).output).toBe('a.ts:1:Word')
    expect((await grep({ pattern: String.raw`Word\nnext`, multiline: true, include: '*.ts' })).output).toBe('a.ts:1:Word\na.ts:2:next')
  })

  it('T-10: the limit is one in all, and reaching it is said', async () => {
    put('a.txt', 'x\n'.repeat(5))
    put('b.txt', 'x\n'.repeat(5))
    const { output, details } = await grep({ pattern: 'x', max_results: 7 })
    expect(
      textOf(output)
        .split('\n')
        .filter((line) => /:\d+:x$/u.test(line)),
    ).toHaveLength(7)
    expect(output).toContain('(There is more: the first 7 matches are shown. Narrow the pattern or the path.)')
    expect(details).toMatchObject({ matches: 7, capped: true })
  })

  it('D-10: a hundred matches when no limit is named; a limit on files counts files', async () => {
    put('a.txt', 'x\n'.repeat(150))
    put('b.txt', 'x\n')
    expect((await grep({ pattern: 'x' })).details).toMatchObject({ matches: 100, capped: true })
    expect((await grep({ pattern: 'x', output_mode: 'files_with_matches', max_results: 1 })).output).toMatch(/^a\.txt\n\(There is more/u)
  })

  it('fault 21: a bad pattern is an error with the reason, not "no matches"', async () => {
    const { output, isError } = await grep({ pattern: '(' })
    expect(isError).toBe(true)
    expect(output).toMatch(/unclosed group/u)
  })

  it('fault 21: a name with a line break or colour codes can neither break the line nor colour it', async () => {
    put('a\nb\x1b[31m.txt', 'hit\n')
    expect((await grep({ pattern: 'hit' })).output).toBe(String.raw`a\nb\u{1b}[31m.txt:1:hit`)
  })

  it('a missing path is an error with names like it; no match is none', async () => {
    put('source/a.ts', 'x')
    expect(await grep({ pattern: 'x', path: 'sourc' })).toMatchObject({
      isError: true,
      output: 'sourc does not exist. Did you mean source?',
    })
    expect(await grep({ pattern: 'zzz' })).toMatchObject({ isError: false, output: 'No matches.' })
  })

  it('R-16, S-21: other agents’ argument names', async () => {
    put('a.ts', 'Word\n')
    put('b.md', 'Word\n')
    expect((await grep({ query: 'word', '-i': true, glob: '*.ts', head_limit: 3 })).output).toBe('a.ts:1:Word')
    expect((await grep({ pattern: 'word', case_insensitive: true, glob_filter: '*.md' })).output).toBe('b.md:1:Word')
  })

  it('a line break in a pattern that is searched line by line is named as the reason, and multiline finds it', async () => {
    writeFileSync(join(bench.root, 'two'), 'one\ntwo\n')
    const said = async (args: object): Promise<string> => textOf((await bench.call('grep', args)).output)
    const why = 'No matches. The pattern holds a line break, and lines are searched one by one: set multiline to search across them.'
    expect(await Promise.all(['one\ntwo', String.raw`one\ntwo`].map((pattern) => said({ pattern })))).toEqual([why, why])
    expect(await said({ pattern: 'one\ntwo', multiline: true })).toBe('two:1:one\ntwo:2:two')
  })

  it('outside the folder the search is an effect', async () => {
    expect(effectsOf(await bench.prepare('grep', { pattern: 'x', path: '..' }))).toMatchObject([{ kind: 'read', outside: true }])
    expect(effectsOf(await bench.prepare('grep', { pattern: 'x' }))).toEqual([])
  })
})

describe('glob', () => {
  it('P3-28, R-15, S-22, D-11: one path a line, the newest first', async () => {
    put('old.ts', '', 100)
    put('src/new.ts', '', 1)
    put('src/middle.ts', '', 50)
    put('src/other.md')
    expect(await glob({ pattern: '**/*.ts' })).toEqual({
      output: 'src/new.ts\nsrc/middle.ts\nold.ts',
      isError: false,
      details: { pattern: '**/*.ts', total: 3, capped: false, paths: ['src/new.ts', 'src/middle.ts', 'old.ts'] },
    })
    expect((await glob({ pattern: '*.ts', path: 'src' })).output).toBe('src/new.ts\nsrc/middle.ts')
    expect(await glob({ pattern: '*.py' })).toMatchObject({ isError: false, output: 'No files match.' })
  })

  it('T-07: capped before truncation could drop the newest, and the count is said', async () => {
    for (let index = 0; index < 600; index++) put(`f${index}.txt`, '', index)
    const { output, details } = await glob({ pattern: '*.txt' })
    const lines = textOf(output).split('\n')
    expect([lines[0], lines.length, lines.at(-1)]).toEqual(['f0.txt', 500, '(499 of 600 are shown, the newest first. Narrow the pattern.)'])
    expect(truncateToolOutput(textOf(output), 'glob')).toBe(output)
    expect(details).toMatchObject({ total: 600, capped: true })
  })

  it('T-07: long names too stay below the limit of characters', async () => {
    for (let index = 0; index < 150; index++) put(`${'x'.repeat(200)}${index}.txt`, '', index)
    const { output } = await glob({ pattern: '*.txt' })
    expect(truncateToolOutput(textOf(output), 'glob')).toBe(output)
    expect(textOf(output).startsWith(`${'x'.repeat(200)}0.txt\n`)).toBe(true)
  })

  it('a pattern that names a place is judged by that place', async () => {
    put('src/a.ts')
    expect((await glob({ pattern: `${bench.root}/src/*.ts` })).output).toBe('src/a.ts')
    expect((await glob({ pattern: '../*.ts', path: 'src' })).output).toBe('No files match.')
    expect(effectsOf(await bench.prepare('glob', { pattern: '/etc/*' }))).toMatchObject([{ kind: 'read', path: '/etc', outside: true }])
    expect(effectsOf(await bench.prepare('glob', { pattern: '../*' }))).toMatchObject([{ kind: 'read', outside: true }])
    expect(effectsOf(await bench.prepare('glob', { pattern: '/etc/hostname', path: 'src' }))).toMatchObject([
      { path: '/etc', outside: true },
    ])
  })

  it.each(['*/../../x', '{../a,b}', '**/{..,c}/*'])('%s leads upwards behind a wildcard and is refused', async (pattern) => {
    expect(await glob({ pattern })).toMatchObject({ isError: true })
  })

  it('fault 21: a circle of links ends', async () => {
    put('sub/a.ts')
    symlinkSync('..', join(bench.root, 'sub/loop'))
    expect((await glob({ pattern: '**/*.ts' })).output).toBe('sub/a.ts')
  })
})
