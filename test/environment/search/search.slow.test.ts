import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ExecutionEnvironment } from '../../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { asNobody, failureOf, plant, tempFolder } from '../support.ts'

describe.each([
  ['ripgrep', {}],
  ['our own search', { ripgrep: null }],
])('grep with %s', (_name, options) => {
  const over = (files: Readonly<Record<string, string | Uint8Array>>, more = {}): ExecutionEnvironment => {
    const folder = tempFolder()
    plant(folder, files)
    // This limit is longer than any search takes, even on a busy machine.
    return createLocalExecutionEnvironment(folder, { searchTimeoutMs: 60_000, ...options, ...more })
  }
  const paths = async (env: ExecutionEnvironment, pattern: string, grep = {}): Promise<readonly string[]> =>
    (await env.grep(pattern, '.', grep)).matches.map(({ path, line }) => `${path}:${line}`)

  it('T-22: sees hidden files, but neither .git nor ignored files, inside and outside of a repository', async () => {
    const files = {
      '.hidden/a': 'x',
      '.env': 'x',
      '.git/config': 'x',
      '.gitignore': 'dist/\n*.log\n!keep.log\n/only-here\n',
      'dist/a': 'x',
      'a.log': 'x',
      'keep.log': 'x',
      'only-here': 'x',
      'sub/only-here': 'x',
      'sub/.gitignore': 'local\n!a.log\n',
      'sub/local': 'x',
      'sub/a.log': 'x',
    }
    const seen = ['.env:1', '.hidden/a:1', 'keep.log:1', 'sub/a.log:1', 'sub/only-here:1']
    expect(await paths(over(files), 'x')).toEqual(seen)
    const { '.git/config': _repository, ...outside } = files
    expect(await paths(over(outside), 'x')).toEqual(seen)
  })

  it('T-22: in a subfolder, the rules of parent folders apply, but a path given explicitly is searched anyway', async () => {
    const env = over({ '.gitignore': 'vendor\n*.gen.ts\n', 'src/a.ts': 'x', 'src/b.gen.ts': 'x', 'vendor/lib/c.ts': 'x' })
    const found = await Promise.all(['src', 'vendor/lib', 'src/b.gen.ts'].map((path) => env.grep('x', path)))
    expect(found.map(({ matches }) => matches.map(({ path }) => path))).toEqual([['a.ts'], ['c.ts'], ['b.gen.ts']])
  })

  it('T-22: follows git’s interpretation of .gitignore where ripgrep’s differs', async () => {
    for (const [rules, found] of [
      ['*.{js,ts}', ['a.js:1', 'b[:1', 'c]:1', 'n/x:1', 'z:1']],
      ['[[:lower:]]\nn', ['a.js:1', 'a.{js,ts}:1', 'b[:1', 'c]:1']],
      ['[\\]c]]\n[', ['a.js:1', 'a.{js,ts}:1', 'b[:1', 'n/x:1', 'z:1']],
    ] as const) {
      const env = over({ '.gitignore': rules, 'a.js': 'x', 'a.{js,ts}': 'x', 'b[': 'x', 'c]': 'x', 'n/x': 'x', z: 'x' })
      expect([rules, (await paths(env, '^x')).filter((line) => !line.startsWith('.git'))]).toEqual([rules, found])
    }
  })

  it('an include pattern only narrows the search, and never adds ignored files', async () => {
    const env = over({
      '.gitignore': '*.log\n',
      'a.ts': 'x',
      'a.tsx': 'x',
      'src/b.ts': 'x',
      'src/deep/c.ts': 'x',
      'd.log': 'x',
      'e.md': 'x',
    })
    expect(await paths(env, 'x', { includePattern: '*.{ts,tsx}' })).toEqual(['a.ts:1', 'a.tsx:1', 'src/b.ts:1', 'src/deep/c.ts:1'])
    expect(await paths(env, 'x', { includePattern: 'src/*.ts' })).toEqual(['src/b.ts:1'])
    expect(await paths(env, 'x', { includePattern: 'src/**' })).toEqual(['src/b.ts:1', 'src/deep/c.ts:1'])
    expect(await paths(env, 'x', { includePattern: 'src/' })).toEqual(['src/b.ts:1', 'src/deep/c.ts:1'])
    expect(await paths(env, 'x', { includePattern: 'deep/' })).toEqual(['src/deep/c.ts:1'])
    expect(await paths(env, 'x', { includePattern: '{src/deep/**,*.md}' })).toEqual(['e.md:1', 'src/deep/c.ts:1'])
    expect(await paths(env, 'x', { includePattern: '!src/' })).toEqual(['a.ts:1', 'a.tsx:1', 'e.md:1'])
    expect(await paths(env, 'x', { includePattern: '*.log' })).toEqual([])
    expect(await paths(env, 'x', { includePattern: '!*.ts' })).toEqual(
      ['.gitignore', 'a.tsx', 'e.md'].filter((path) => path !== '.gitignore').map((path) => `${path}:1`),
    )
  })

  it('skips binary files and links, reads UTF-16 and CRLF', async () => {
    const env = over({
      binary: Buffer.concat([Buffer.from('needle\n'), Buffer.alloc(9)]),
      'utf16.txt': Buffer.from('\ufeffneedle ü\n', 'utf16le'),
      'crlf.txt': 'one\r\nneedle\r\n',
      'latin1.txt': Buffer.from('n\u00fc needle\n', 'latin1'),
    })
    symlinkSync('crlf.txt', join(env.workingDirectory(), 'link'))
    symlinkSync('.', join(env.workingDirectory(), 'circle'))
    const { matches } = await env.grep('needle( ü)?$', '.')
    expect(matches.map(({ path, line, text }) => [path, line, text])).toEqual([
      ['crlf.txt', 2, 'needle'],
      ['latin1.txt', 1, 'nü needle'],
      ['utf16.txt', 1, 'needle ü'],
    ])
  })

  it('fault 21: cuts a very long line around its first match and says how long it is', async () => {
    const env = over({ 'min.js': `${'é'.repeat(500_000)}needle${'y'.repeat(500_000)}\n` })
    const [match] = (await env.grep('needle', '.')).matches
    expect(match?.text).toMatch(/^…é{200}needley{1794}… \[line of 1000006 characters\]$/)
  })

  it('fault 21: a file name that contains a line feed and escape sequences is returned unchanged', async () => {
    const env = over({ 'a\nb\u001b[31m:1:x': 'needle\n' })
    expect((await env.grep('needle', '.')).matches).toEqual([{ path: 'a\nb\u001b[31m:1:x', line: 1, text: 'needle', isContext: false }])
  })

  it('no match is listed for a file that turns out to be binary after many matches', async () => {
    const late = `${`x${'y'.repeat(99)}\n`.repeat(2_000)}\0`
    const env = over({ 'a.bin': late, 'b/c: d': 'x', 'm.bin': late, 'n\n./o': 'x\r\n', 'z.bin': late })
    expect(await paths(env, 'x')).toEqual(['b/c: d:1', 'n\n./o:1'])
    expect(await paths(over({ 'a.bin': late }), 'x')).toEqual([])
  })

  it('T-10: a pattern that begins with a dash is not read as an option', async () => {
    expect(await paths(over({ a: 'x --version y\n' }), '--version')).toEqual(['a:1'])
  })

  it.each(['(', '[z-a]', 'a{2,1}', '*a'])('fault 21: %j is refused with EINVAL and never reported as "no match"', async (pattern) => {
    expect(await failureOf(over({ a: '*a' }).grep(pattern, '.'))).toMatchObject({ code: 'EINVAL' })
  })

  it('fault 21: a search that takes too long ends with ETIMEDOUT and advice', async () => {
    const env = over({ a: `${'a'.repeat(50)}b\n`.repeat(200_000) }, { searchTimeoutMs: 1 })
    expect(await failureOf(env.grep('(a+)+c', '.'))).toEqual({
      code: 'ETIMEDOUT',
      message: expect.stringContaining('Search a smaller folder'),
    })
  })

  it('T-10: a limited search always lists the same first matches, in path order', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${String(index).padStart(2, '0')}`)
    const env = over(Object.fromEntries(['a.b', 'a/b', ...names].map((name) => [name, 'x\nx\n'])))
    const first = ['a/b:1', 'a/b:2', 'a.b:1', 'a.b:2', ...names.slice(0, 8).flatMap((name) => [`${name}:1`, `${name}:2`])]
    for (let run = 0; run < 5; run++) expect(await paths(env, 'x', { maxResults: 20 })).toEqual(first)
    expect(await paths(env, 'x', { maxResults: 20, contextLines: 1 })).toEqual(first)
    expect((await paths(env, 'x')).slice(0, 20)).toEqual(first)
  })

  it('at the limit no context lines are listed for an omitted match', async () => {
    const env = over({ a: 'x\n1\n2\n3\nx\n', b: '1\nx\n' })
    const lines = async (maxResults: number): Promise<readonly string[]> => {
      const { matches, capped } = await env.grep('x', '.', { contextLines: 1, maxResults })
      return [...matches.map(({ path, line, isContext }) => `${path}${isContext ? '-' : ':'}${line}`), ...(capped ? ['…'] : [])]
    }
    expect(await lines(1)).toEqual(['a:1', 'a-2', '…'])
    expect(await lines(2)).toEqual(['a:1', 'a-2', 'a-4', 'a:5', '…'])
    expect(await lines(3)).toEqual(['a:1', 'a-2', 'a-4', 'a:5', 'b-1', 'b:2'])
  })

  it('an abort rejects with the reason', async () => {
    const reason = new Error('no longer wanted')
    const controller = new AbortController()
    const search = over({ a: `${'a'.repeat(50)}b\n`.repeat(2_000) }).grep('(a+)+c', '.', { signal: controller.signal })
    controller.abort(reason)
    await expect(search).rejects.toBe(reason)
  })

  it('inline flags and word boundaries work', async () => {
    const env = over({ a: 'Foobar\nfoobaz\n' })
    expect(await paths(env, '(?i)foobar')).toEqual(['a:1'])
    expect(await paths(env, String.raw`\bfoo\w+`)).toEqual(['a:2'])
  })

  it('fault 21: at most 10,000 of a million matches are listed', async () => {
    const { matches, capped } = await over({ a: 'x\n'.repeat(1_000_000) }).grep('x', '.')
    expect([matches.length, capped]).toEqual([10_000, true])
  })

  it('an unreadable file or folder does not hide other matches', () => {
    const folder = tempFolder()
    plant(folder, { 'a.txt': 'x', 'closed.txt': 'x', 'closed/b.txt': 'x' })
    chmodSync(folder, 0o755)
    for (const name of ['closed.txt', 'closed']) chmodSync(join(folder, name), 0)
    onTestFinished(() => chmodSync(join(folder, 'closed'), 0o700))
    expect(asNobody(folder, `return (await env.grep('x', '.')).matches.map(({ path }) => path)`)).toEqual(['a.txt'])
  })
})

it('fault 21: an explicit path that cannot be read is an error, not "no match" or an empty list', () => {
  const folder = tempFolder()
  plant(folder, { 'closed.txt': 'x', 'closed/b.txt': 'x' })
  chmodSync(folder, 0o755)
  for (const name of ['closed.txt', 'closed']) chmodSync(join(folder, name), 0)
  onTestFinished(() => chmodSync(join(folder, 'closed'), 0o700))
  const denied = (name: string) => ({
    code: 'EACCES',
    message: `Could not search ${join(folder, name)}: permission denied (EACCES).`,
  })
  expect(
    asNobody(
      folder,
      `return [await failureOf(env.grep('x', 'closed.txt')), await failureOf(env.grep('x', 'closed')), await failureOf(env.glob('*', 'closed'))]`,
    ),
  ).toEqual([denied('closed.txt'), denied('closed'), denied('closed')])
})

it.each([
  [String.raw`\n`, ['one', 'two:x', '3:4:four']],
  [String.raw`\R`, ['one', 'two:x', '3:4:four']],
  [String.raw`(?=\n)`, ['one', 'two:x', '3:4:four']],
  [String.raw`one(?=\s)`, ['one']],
  [String.raw`x(?!\n)`, []],
  [String.raw`e(?!\n)`, ['three']],
  ['(?<=o)$', []],
  ['(?<=r)$', ['3:4:four']],
  [String.raw`(?i)ONE(?=\s)`, ['one']],
  ['t[[:alpha:]]+', ['two:x', 'three']],
])('a line is listed completely if ripgrep finds a match of %s at its end', async (pattern, texts) => {
  const folder = tempFolder()
  plant(folder, { 'a.txt': 'one\ntwo:x\n3:4:four\nthree' })
  const { matches } = await createLocalExecutionEnvironment(folder).grep(pattern, '.')
  expect(matches.map(({ text }) => text)).toEqual(texts)
})

it('a pattern that only ripgrep supports finds the same files where ripgrep reads .gitignore differently from git', async () => {
  const folder = tempFolder()
  const ignored = { 'a.{js,ts}': 'xy', 'out/b.js': 'xy', 'src/deep/out/c.js': 'xy', 'src/[out]/d.js': 'xy' }
  plant(folder, { '.gitignore': '*.{js,ts}\nout\n\\[out\\]\n', 'a.js': 'xy', 'src/deep/b.ts': 'xy', ...ignored })
  const env = createLocalExecutionEnvironment(folder)
  const paths = async (includePattern?: string) =>
    (await env.grep('(?>x)y', '.', includePattern === undefined ? {} : { includePattern })).matches.map(({ path }) => path)
  expect([await paths(), await paths('*.ts')]).toEqual([['a.js', 'src/deep/b.ts'], ['src/deep/b.ts']])
})

it('a pattern that only ripgrep supports is found in old encodings, with its context', async () => {
  const folder = tempFolder()
  plant(folder, { 'a.txt': Buffer.from('one\nd\xe9j\xe0 vu\nthree\n', 'latin1'), 'b.txt': 'déjà vu\n' })
  const { matches } = await createLocalExecutionEnvironment(folder).grep('(?<=d)éj(?=à)', '.', { contextLines: 1 })
  expect(matches.map(({ path, line, text }) => [path, line, text])).toEqual([
    ['a.txt', 1, 'one'],
    ['a.txt', 2, 'déjà vu'],
    ['a.txt', 3, 'three'],
    ['b.txt', 1, 'déjà vu'],
  ])
})

describe('on random trees', () => {
  const names = fc.constantFrom('a', 'b', 'src', 'dist', 'x.log', 'y.ts', 'deep', '.dot', 'a b')
  const path = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const rule = fc
    .tuple(
      fc.constantFrom('', '!', '/', '!/'),
      fc.constantFrom('a', 'b', 'dist', '*.log', '*.ts', '**/deep', 'src/*', 'src/**', 'a/**/b', '[ab]', '?', '.*', 'x.???', 'a b', '\\a'),
      fc.constantFrom('', '/', ' '),
    )
    .map((parts) => parts.join(''))
  const text = fc
    .array(
      fc.tuple(
        fc.constantFrom('needle', 'Needle', 'hay', '', 'a needle b', 'needle\rhay', '\r'),
        fc.constantFrom('\n', '\n', '\r\n', '\r', '\r\r\n'),
      ),
      { maxLength: 6 },
    )
    .chain((lines) =>
      fc.boolean().map((isEnded) =>
        lines
          .flat()
          .slice(0, isEnded ? undefined : -1)
          .join(''),
      ),
    )
  const tree = fc.record({
    files: fc.dictionary(path, text, { minKeys: 1, maxKeys: 12 }),
    rules: fc.dictionary(fc.constantFrom('', 'a/', 'src/', 'dist/'), fc.array(rule, { maxLength: 4 }), { maxKeys: 3 }),
    isRepository: fc.boolean(),
  })

  /** Creates a tree on disk. Entries that cannot exist together (a file and a folder of the same name) are left out. */
  function build({
    files,
    rules,
    isRepository,
  }: {
    files: Record<string, string>
    rules: Record<string, string[]>
    isRepository: boolean
  }): string {
    const folder = tempFolder()
    if (isRepository) execFileSync('git', ['init', '-q', folder])
    const all = [...Object.entries(files), ...Object.entries(rules).map(([at, lines]) => [`${at}.gitignore`, lines.join('\n')] as const)]
    for (const [name, content] of all) {
      try {
        plant(folder, { [name]: content })
      } catch {
        // A file is in the place of a folder, or a folder is in the place of a file.
      }
    }
    return folder
  }

  it('P2-50: our own search lists the same lines as ripgrep', async () => {
    const patterns = fc.constantFrom(
      'needle',
      'n.*e',
      '^needle$',
      '(?i)NEEDLE',
      'a|hay',
      '',
      '^$',
      '$',
      '^',
      'e$',
      '^n',
      String.raw`e\s`,
      String.raw`^\W*$`,
    )
    const options = fc.record(
      {
        caseSensitive: fc.boolean(),
        contextLines: fc.nat(2),
        includePattern: fc.option(fc.constantFrom('*.ts', 'src/**', '!*.log', '/a'), { nil: undefined }),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(tree, patterns, options, async (shape, pattern, { includePattern, ...rest }) => {
        const folder = build(shape)
        const grep = { ...rest, ...(includePattern !== undefined && { includePattern }) }
        const [found, ours] = await Promise.all(
          [{}, { ripgrep: null }].map((which) => createLocalExecutionEnvironment(folder, which).grep(pattern, '.', grep)),
        )
        expect(ours).toEqual(found)
        rmSync(folder, { recursive: true })
      }),
      { numRuns: 60 },
    )
  }, 120_000)

  it('T-22: glob, ripgrep and git agree on what is ignored', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (shape) => {
        const folder = build({ ...shape, isRepository: true })
        const env = createLocalExecutionEnvironment(folder)
        const listed = (await env.glob('**', '.')).paths.toSorted()
        const git = execFileSync('git', ['-c', 'core.excludesFile=', 'ls-files', '-z', '--others', '--exclude-standard'], {
          cwd: folder,
          encoding: 'utf8',
        })
        expect(listed).toEqual(git.split('\0').filter(Boolean).toSorted())
        rmSync(folder, { recursive: true })
      }),
      { numRuns: 60 },
    )
  }, 120_000)
})

it('T-22: grep and glob leave out the paths in a repository’s info/exclude, even in a linked worktree', async () => {
  const folder = tempFolder()
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  git('init', '-q')
  plant(folder, {
    '.git/info/exclude': '*.tmp\n/only\n*.kept\n',
    '.gitignore': '!a.kept\n/tree\n',
    'a.tmp': 'x',
    'sub/b.tmp': 'x',
    only: 'x',
    'sub/only': 'x',
    'a.kept': 'x',
  })
  git('add', '.gitignore')
  git('commit', '-q', '-m', 'a')
  git('worktree', 'add', '-q', 'tree')
  plant(folder, { 'tree/c.tmp': 'x', 'tree/d': 'x' })
  const seen = async (path: string) => {
    const greps = [{}, { ripgrep: null }].map(async (which) =>
      (await createLocalExecutionEnvironment(join(folder, path), which).grep('x', '.')).matches.map((match) => match.path),
    )
    return [
      ...(await Promise.all(greps)),
      (await createLocalExecutionEnvironment(join(folder, path)).glob('**/[!.]*', '.')).paths.toSorted(),
    ]
  }
  expect(await seen('.')).toEqual(Array.from({ length: 3 }, () => ['a.kept', 'sub/only']))
  expect(await seen('sub')).toEqual(Array.from({ length: 3 }, () => ['only']))
  expect(await seen('tree')).toEqual(Array.from({ length: 3 }, () => ['d']))
})

it('a nested repository follows only its own rules, not the rules above it', async () => {
  const above = tempFolder()
  plant(above, { '.gitignore': '*' })
  const folder = join(above, 'repository')
  plant(folder, { '.gitignore': '*.ts\n', 'a.ts': 'x', 'inner/b.ts': 'x', 'inner/.git/config': 'x' })
  mkdirSync(join(folder, '.git'))
  const found = await Promise.all(
    [{}, { ripgrep: null }].map(async (which) =>
      (await createLocalExecutionEnvironment(folder, which).grep('x', '.')).matches.map(({ path }) => path),
    ),
  )
  const { paths } = await createLocalExecutionEnvironment(folder).glob('**/*.ts', '.')
  expect([...found, paths]).toEqual([['inner/b.ts'], ['inner/b.ts'], ['inner/b.ts']])
})
