import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { truncateToolOutput } from '../../../main/tools/truncation/truncate.ts'
import { benchOfEachTest } from '../bench-of-each-test.ts'
import { effectsOf, textOf } from '../workbench.ts'

const bench = benchOfEachTest()

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
  it('P3-27: lists path:line:text relative to the working folder, and the interface gets the matches', async () => {
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

  it('context lines are marked with a dash, and groups are separated', async () => {
    put('a.txt', 'a\nhit\nb\nc\nd\nhit\ne\n')
    put('b.txt', 'hit\n')
    expect((await grep({ pattern: 'hit', context_lines: 1 })).output).toBe(
      'a.txt-1-a\na.txt:2:hit\na.txt-3-b\n--\na.txt-5-d\na.txt:6:hit\na.txt-7-e\n--\nb.txt:1:hit',
    )
  })

  it('D-38: on request, lists only the files, or the number of matches in each file', async () => {
    put('a.txt', 'x\nx\n')
    put('b.txt', 'x\n')
    expect((await grep({ pattern: 'x', output_mode: 'files_with_matches' })).output).toBe('a.txt\nb.txt')
    expect((await grep({ pattern: 'x', output_mode: 'count' })).output).toBe('a.txt:2\nb.txt:1')
  })

  it('P3-29: case, include and multiline options take effect', async () => {
    put('a.ts', 'Word\nnext\n')
    put('a.md', 'Word\n')
    expect((await grep({ pattern: 'word' })).output).toBe('No matches.')
    expect((await grep({ pattern: 'word', case_sensitive: false, include: '*.ts' })).output).toBe('a.ts:1:Word')
    expect((await grep({ pattern: String.raw`Word\nnext`, multiline: true, include: '*.ts' })).output).toBe('a.ts:1:Word\na.ts:2:next')
  })

  it('T-10: the limit applies to the total number of matches, and reaching the limit is reported', async () => {
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

  it('D-10: lists a hundred matches by default, and in a list of files, the limit counts files', async () => {
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

  it('fault 21: a malformed include pattern is reported, with how to correct it', async () => {
    put('a.ts', 'x')
    expect(await grep({ pattern: 'x', include: '[' })).toEqual({
      isError: true,
      output: 'The include pattern [ cannot be used: [ has no ]; write \\[ for the character itself (EINVAL).',
      details: null,
    })
  })

  it('if no file matches the include pattern, the result says that this is why there are no matches', async () => {
    put('src/a.ts', 'x')
    const said = async (include: string): Promise<unknown> => (await grep({ pattern: 'y', include })).output
    const none = (include: string) => `No matches: no searched file matches the include pattern ${include}.`
    for (const include of ['src', '*.tsx', 'lib/**', '/a.ts']) expect(await said(include)).toBe(none(include))
    for (const include of ['*.ts', 'src/**', './src/./*.ts', 'src/', '/src/*', '!*.md', '']) expect(await said(include)).toBe('No matches.')
  })

  it('fault 21: a name with a line break or color codes can neither break the line nor color it', async () => {
    put('a\nb\x1b[31m.txt', 'hit\n')
    expect((await grep({ pattern: 'hit' })).output).toBe(String.raw`a\nb\u{1b}[31m.txt:1:hit`)
  })

  it('a missing path is an error that lists similar names, and a search without matches is not an error', async () => {
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

  it.each<[string, object, string]>([
    ['-A', { flags: '-A 1' }, 'a.py:2:a.b\na.py-3-axb\n--\nb.ts:1:a.b'],
    ['-B', { flags: '-B1' }, 'a.py-1-one\na.py:2:a.b\n--\nb.ts:1:a.b'],
    ['-C', { flags: '--context=1' }, 'a.py-1-one\na.py:2:a.b\na.py-3-axb\n--\nb.ts:1:a.b'],
    ['-t', { flags: '-t py' }, 'a.py:2:a.b'],
    ['type', { type: 'ts' }, 'b.ts:1:a.b'],
    ['-g', { flags: '-g *.ts' }, 'b.ts:1:a.b'],
    ['-F', { pattern: 'a.b', flags: '-F' }, 'a.py:2:a.b\nb.ts:1:a.b'],
    ['-w', { pattern: 'on|a.b', flags: '-w' }, 'a.py:2:a.b\na.py:3:axb\nb.ts:1:a.b'],
    ['-x', { pattern: 'on.|a', flags: '-x' }, 'a.py:1:one'],
    ['-v', { pattern: 'a.b', flags: '-v' }, 'a.py:1:one'],
    ['-S', { pattern: 'ONE', flags: '-S' }, 'No matches.'],
    ['-m', { pattern: 'a.b', flags: '-m 1' }, 'a.py:2:a.b\nb.ts:1:a.b'],
    [
      '-m with a total limit',
      { pattern: 'a.b', flags: '-m 1', max_results: 1 },
      'a.py:2:a.b\n(There is more: the first 1 matches are shown. Narrow the pattern or the path.)',
    ],
    [
      '-m with a total limit and context',
      { pattern: 'a.b|axb', flags: '-m 2 -C 1', max_results: 1, path: 'a.py' },
      'a.py-1-one\na.py:2:a.b\n(There is more: the first 1 matches are shown. Narrow the pattern or the path.)',
    ],
    ['a list of globs', { include: '*.py, *.md' }, 'a.py:2:a.b'],
    ['an empty path', { path: '', include: '' }, 'a.py:2:a.b\nb.ts:1:a.b'],
    ['-m and -c', { pattern: 'a.b', flags: '-m 1 -c' }, 'a.py:1\nb.ts:1'],
  ])('R-16: %s takes effect', async (_, args, output) => {
    put('a.py', 'one\na.b\naxb\n')
    put('b.ts', 'a.b\n')
    expect((await grep({ pattern: String.raw`a\.b`, ...args })).output).toBe(output)
  })

  it.each<[object, RegExp]>([
    [{ flags: '-o' }, /^The flags -o are not supported\. Supported flags: -i /u],
    [{ flags: '--count-matches' }, /^The flags --count-matches are not/u],
    [{ flags: '--passthru -i' }, /^The flags --passthru are not/u],
    [{ type: 'cobol' }, /^The file type cobol is not known\. Use include with a glob, such as \*\.cobol\.$/u],
    [{ type: 'py', include: '*.ts' }, /^Give either a type or include/u],
    [{ offset: 5 }, /^There is no offset\./u],
  ])('R-16, fault 21: %j is refused, and the message says what to do', async (args, why) => {
    expect(await grep({ pattern: 'x', ...args })).toMatchObject({ isError: true, output: expect.stringMatching(why) })
  })

  it('says that a line break in the pattern prevents a match, unless multiline is set', async () => {
    writeFileSync(join(bench.root, 'two'), 'one\ntwo\n')
    const said = async (args: object): Promise<string> => textOf((await bench.call('grep', args)).output)
    const why = 'No matches. The pattern contains a line break, and lines are searched one by one: set multiline to search across them.'
    expect(await Promise.all(['one\ntwo', String.raw`one\ntwo`].map((pattern) => said({ pattern })))).toEqual([why, why])
    expect(await said({ pattern: 'one\ntwo', multiline: true })).toBe('two:1:one\ntwo:2:two')
  })

  it('searching outside the folder is a read effect', async () => {
    expect(effectsOf(await bench.prepare('grep', { pattern: 'x', path: '..' }))).toMatchObject([{ kind: 'read', outside: true }])
    expect(effectsOf(await bench.prepare('grep', { pattern: 'x' }))).toEqual([])
  })
})

describe('glob', () => {
  it('P3-28, R-15, S-22, D-11: lists one path per line, newest first', async () => {
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

  it('D-51: case_sensitive and respect_git_ignore work', async () => {
    put('A.TS')
    put('b.log')
    put('.gitignore', '*.log\n')
    expect((await glob({ pattern: '*.ts' })).output).toBe('No files match.')
    expect((await glob({ pattern: '*.ts', case_sensitive: false })).output).toBe('A.TS')
    expect((await glob({ pattern: '*.log' })).output).toBe('No files match.')
    expect((await glob({ pattern: '*.log', respect_git_ignore: false })).output).toBe('b.log')
    expect((await glob({ pattern: '*.log', file_filtering_options: { respect_git_ignore: false } })).output).toBe('b.log')
  })

  it('a pattern that is a folder or begins with ! lists nothing, and the result gives the reason', async () => {
    put('src/a.ts')
    const said = async (args: object): Promise<unknown> => (await glob(args)).output
    expect(await said({ pattern: 'src' })).toBe('No files match. src is a folder: src/** lists the files in it.')
    expect(await said({ pattern: 'src/' })).toBe('No files match. src/ is a folder: src/** lists the files in it.')
    expect(await said({ pattern: '!*.ts' })).toBe(
      'No files match. A ! at the beginning is an ordinary character here; a pattern cannot exclude files.',
    )
    expect(await said({ pattern: 'gone' })).toBe('No files match.')
    expect(await said({ pattern: 'src/*', path: '' })).toBe('src/a.ts')
    expect(await glob({ pattern: ' ' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('matches no files; to match all files, use **'),
    })
  })

  it('fault 21: a malformed pattern is an error, not "no files"', async () => {
    expect(await glob({ pattern: '[' })).toEqual({
      isError: true,
      output: 'The pattern [ is not well formed: [ has no ]; write \\[ for the character itself (EINVAL).',
      details: null,
    })
  })

  it('T-07: the list is short enough that truncation does not drop the newest files, and the count is reported', async () => {
    for (let index = 0; index < 600; index++) put(`f${index}.txt`, '', index)
    const { output, details } = await glob({ pattern: '*.txt' })
    const lines = textOf(output).split('\n')
    expect([lines[0], lines.length, lines.at(-1)]).toEqual(['f0.txt', 500, '(499 of 600 are shown, the newest first. Narrow the pattern.)'])
    expect(truncateToolOutput(textOf(output), 'glob')).toBe(output)
    expect(details).toMatchObject({ total: 600, capped: true })
  })

  it('T-07: a list of long names stays under the character limit', async () => {
    for (let index = 0; index < 150; index++) put(`${'x'.repeat(200)}${index}.txt`, '', index)
    const { output } = await glob({ pattern: '*.txt' })
    expect(truncateToolOutput(textOf(output), 'glob')).toBe(output)
    expect(textOf(output).startsWith(`${'x'.repeat(200)}0.txt\n`)).toBe(true)
  })

  it('a pattern that names a folder searches that folder, and counts as a read outside the project if the folder is outside it', async () => {
    put('src/a.ts')
    expect((await glob({ pattern: `${bench.root}/src/*.ts` })).output).toBe('src/a.ts')
    expect((await glob({ pattern: '../*.ts', path: 'src' })).output).toBe('No files match.')
    expect(effectsOf(await bench.prepare('glob', { pattern: '/etc/*' }))).toMatchObject([{ kind: 'read', path: '/etc', outside: true }])
    expect(effectsOf(await bench.prepare('glob', { pattern: '../*' }))).toMatchObject([{ kind: 'read', outside: true }])
    expect(effectsOf(await bench.prepare('glob', { pattern: '/etc/hostname', path: 'src' }))).toMatchObject([
      { path: '/etc', outside: true },
    ])
  })

  it.each(['*/../../x', '{../a,b}', '**/{..,c}/*'])('%s is refused because .. follows a wildcard', async (pattern) => {
    expect(await glob({ pattern })).toMatchObject({ isError: true })
  })

  it('fault 21: a search ends even in a cycle of links', async () => {
    put('sub/a.ts')
    symlinkSync('..', join(bench.root, 'sub/loop'))
    expect((await glob({ pattern: '**/*.ts' })).output).toBe('sub/a.ts')
  })
})
