import { renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { verifiedMatches } from '../../../main/environment/search/verify-matches.ts'
import { searchWithoutRipgrep } from '../../../main/environment/search/search-without-ripgrep.ts'
import { failureOf, plant, tempFolder } from '../support.ts'

/** Creates a folder in which nothing has changed for longer than a tick of the file system’s clock, and a folder elsewhere. */
async function planted() {
  const folder = tempFolder()
  const elsewhere = tempFolder()
  plant(folder, { 'sub/a': 'match mine\n', 'sub/deep/b': 'match deep\n', c: 'match top\n' })
  plant(elsewhere, { a: 'match secret\n', 'deep/b': 'match secret\n' })
  const since = Date.now()
  await expect.poll(() => Date.now() - since).toBeGreaterThan(50)
  const replace = (): void => {
    renameSync(join(folder, 'sub'), join(folder, 'aside'))
    symlinkSync(elsewhere, join(folder, 'sub'))
  }
  const open = (ripgrep?: string | null) => {
    const env = createLocalExecutionEnvironment(folder, { searchTimeoutMs: 60_000, ...(ripgrep !== undefined && { ripgrep }) })
    onTestFinished(() => env.cleanup())
    return env
  }
  return { folder, elsewhere, replace, open }
}

/** A program to start instead of ripgrep. It changes the searched folder before and after ripgrep runs. `more`: further paths to search. */
async function ripgrepBetween(before: string, after: string, more = ''): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep')
  const program = join(tempFolder(), 'rg')
  writeFileSync(program, `#!/bin/sh\n${before}\n'${rgPath}' "$@" ${more}\ncode=$?\n${after}\nexit $code\n`, { mode: 0o755 })
  return program
}

it.each([
  ['stays a link', ''],
  ['is put back', 'rm sub; mv aside sub'],
])('C10: if a folder is replaced with a link during a search and %s, matches in the other place are dropped', async (_name, after) => {
  const { elsewhere, open } = await planted()
  // ripgrep follows a link only if the link is an argument, as here, or takes a folder's place after ripgrep has listed that folder and
  // before it opens it.
  const env = open(await ripgrepBetween(`mv sub aside; ln -s '${elsewhere}' sub`, after, './sub/'))
  const { matches } = await env.grep('match', '.')
  expect(matches.filter(({ path }) => !path.startsWith('aside/')).map(({ text }) => text)).toEqual(['match top'])
})

it.each([
  ['plain lines', 0],
  ['records', 1],
])(
  'a search that reads ripgrep’s %s keeps matches if something else has changed in the folder of their files',
  async (_name, contextLines) => {
    const { folder, open } = await planted()
    plant(folder, {
      'carriage-return': 'match a\r\nb\r\n',
      'no-line-feed': 'b\nmatch a',
      'empty-lines': '\nmatch a\n\n',
      'byte-order-mark': '\ufeffmatch a\n',
      'not-utf-8': Buffer.from('b\nmatch \xe9\n', 'latin1'),
      'utf-16': Buffer.from('\ufeffb\nmatch ä\n', 'utf16le'),
      shortened: `b\n${'x'.repeat(3_000)}match${'y'.repeat(3_000)}\r\n`,
      'many-pieces': `${'ä'.repeat(200_000)}match${'y'.repeat(3_000)}\n`,
      'words-of-shortened': 'match … [line of 12 characters]\n',
      // These lines would make ripgrep's plain lines ambiguous, so they are searched only as records.
      ...(contextLines > 0 && { 'two-carriage-returns': 'match a\r\r\nb\n', 'carriage-return-at-end': 'b\nmatch a\r' }),
    })
    const expected = await open().grep('match', '.', { contextLines })
    expect(new Set(expected.matches.map(({ path }) => path)).size).toBe(contextLines > 0 ? 14 : 12)
    const program = await ripgrepBetween('touch new sub/new sub/deep/new', '')
    expect(await open(program).grep('match', '.', { contextLines })).toEqual(expected)
  },
)

it('a search drops lines that their file no longer has', async () => {
  const { folder } = await planted()
  const long = (length: number, end = '') => `${'x'.repeat(1_000)}… [line of ${length} characters]${end}`
  plant(folder, { 'sub/a': `match mine\n${'x'.repeat(3_000)}\n` })
  const kept = [long(3_000), 'match mine']
  const matches = [...kept, 'match', 'match mine and more', long(2_999), long(3_000, '.')].map((text) => ({
    path: 'sub/a',
    line: 1,
    text,
    isContext: false,
  }))
  const found = await verifiedMatches(matches, { folder, file: null, top: folder, start: 0 }, undefined)
  expect(found.map(({ text }) => text)).toEqual(kept)
})

it('a search keeps a match in a file that is too large to be read at once', async () => {
  const { folder } = await planted()
  truncateSync(join(folder, 'sub/a'), 200 * 1024 * 1024)
  const match = { path: 'sub/a', line: 1, text: 'match mine', isContext: false }
  expect(await verifiedMatches([match], { folder, file: null, top: folder, start: 0 }, undefined)).toEqual([match])
})

it('reading a large file again gives other work a turn every 64 KB, and can be aborted', async () => {
  const folder = tempFolder()
  plant(folder, { lines: 'b\n'.repeat(512 * 1024), line: 'b'.repeat(1024 * 1024) })
  const place = { folder, file: null, top: folder, start: 0 }
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  const turns = vi.spyOn(globalThis, 'setImmediate')
  onTestFinished(() => void vi.restoreAllMocks())
  for (const path of ['lines', 'line']) {
    const match = { path, line: 1, text: `c [line of ${1024 * 1024} characters]`, isContext: false }
    turns.mockClear()
    expect(await verifiedMatches([match], place, undefined)).toEqual([])
    expect(turns.mock.calls.length).toBeGreaterThan(16)
    const stop = new AbortController()
    turns.mockImplementationOnce((work) => (stop.abort(new Error('stopped')), setTimeout(work, 0) as unknown as NodeJS.Immediate))
    await expect(verifiedMatches([match], place, stop.signal)).rejects.toThrow('stopped')
  }
})

it.each([
  ['ripgrep', undefined],
  ['our own search', null],
])('C10: if the checked path has become a link before the search, %s and glob refuse it', async (_name, ripgrep) => {
  const { folder, replace, open } = await planted()
  const env = open(ripgrep)
  replace()
  for (const path of ['sub', 'sub/a'].map((name) => join(folder, name))) {
    expect((await failureOf(env.grep('match', path, { real: true }))).code).toBe('ECHANGED')
    expect((await env.grep('match', path)).matches.map(({ text }) => text)).toContain('match secret')
  }
  expect((await failureOf(env.glob('*', join(folder, 'sub'), { real: true }))).code).toBe('ECHANGED')
})

it('C10: our own search reads no file through a folder that has become a link', async () => {
  const { folder, replace } = await planted()
  replace()
  const request = {
    start: 0,
    caseSensitive: true,
    multiline: false,
    includePattern: null,
    contextLines: 0,
    maxResults: 10,
    pattern: 'match',
  }
  const found = (file: string) => searchWithoutRipgrep({ ...request, folder, file })
  expect([found('sub/a'), found('c')]).toMatchObject([{ matches: [] }, { matches: [{ text: 'match top' }] }])
})

it('C10: glob names no file of a folder that becomes a link after it was listed', async () => {
  const { replace, open } = await planted()
  const { signal } = new AbortController()
  let checks = 0
  // The search checks its abort signal before and after it lists the files. The second check is the moment at which the folder is replaced.
  signal.throwIfAborted = () => {
    if (++checks === 2) replace()
  }
  expect(await open().glob('**', '.', { signal })).toEqual({ paths: ['c'], total: 1 })
})
