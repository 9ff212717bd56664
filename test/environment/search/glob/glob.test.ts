import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExecutionEnvironment } from '../../../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../../../main/environment/local-environment.ts'
import { failureOf, plant, tempFolder } from '../../support.ts'

describe('glob', () => {
  const over = (files: Readonly<Record<string, string>>): ExecutionEnvironment => {
    const folder = tempFolder()
    plant(folder, files)
    return createLocalExecutionEnvironment(folder)
  }

  it('D-11, T-07: lists the newest files first, files with the same time by path, up to the limit', async () => {
    const env = over({ 'old.ts': '', 'new.ts': '', 'sub/b.ts': '', 'sub/a.ts': '' })
    const at = (name: string, seconds: number): void => utimesSync(join(env.workingDirectory(), name), seconds, seconds)
    at('old.ts', 1_000)
    at('sub/a.ts', 2_000)
    at('sub/b.ts', 2_000)
    at('new.ts', 3_000)
    expect(await env.glob('**/*.ts', '.')).toEqual({ paths: ['new.ts', 'sub/a.ts', 'sub/b.ts', 'old.ts'], total: 4 })
    expect(await env.glob('**/*.ts', '.', { maxResults: 2 })).toEqual({ paths: ['new.ts', 'sub/a.ts'], total: 4 })
  })

  it('accepts a pattern that begins with the folder or ./, and refuses a pattern that leads out of the folder', async () => {
    const env = over({ 'src/a.ts': '' })
    const root = env.workingDirectory()
    const found = await Promise.all([`${root}/src/*.ts`, './src/*.ts', 'src/{a,b}.ts'].map((pattern) => env.glob(pattern, '.')))
    expect(found.map(({ paths }) => paths)).toEqual([['src/a.ts'], ['src/a.ts'], ['src/a.ts']])
    const failures = await Promise.all(['../*', '/etc/*', 'src/../../x', '{..,src}/*'].map((pattern) => failureOf(env.glob(pattern, '.'))))
    expect(failures.map(({ code }) => code)).toEqual(['EINVAL', 'EINVAL', 'EINVAL', 'EINVAL'])
  })

  it('T-22: ignored files match no pattern, whatever the pattern begins with', async () => {
    const env = over({ '.gitignore': 'ig/\n*.log\n', 'ig/x.ts': '', 'ig/deep/y.ts': '', 'a/b.log': '', 'a/c.ts': '' })
    const patterns = ['ig/*', 'ig/**/*', 'ig/**', 'ig/x.ts', 'ig/deep/*', '{ig,none}/*', 'a/*.log', 'a/b.log']
    expect(await Promise.all(patterns.map(async (pattern) => (await env.glob(pattern, '.')).paths))).toEqual(patterns.map(() => []))
    expect((await env.glob('*', 'ig')).paths).toEqual(['x.ts'])
  })

  it.each([
    ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx']],
    ['app/[id]/*.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx']],
    ['**/[id]/**', ['app/[id]/page.tsx', 'app/i/page.tsx']],
    ['app/[[...all]]/*', ['app/[[...all]]/page.tsx']],
    ['app/[user-id]/page.tsx', ['app/[user-id]/page.tsx']],
    ['b{1,2}.md', ['b1.md', 'b{1,2}.md']],
    ['a[b.md', ['a[b.md']],
    ['a}.md', ['a}.md']],
    [String.raw`c\d.md`, ['cd.md', String.raw`c\d.md`]],
    ['!(x).md', ['!(x).md']],
    ['out/[x', []],
    ['ig/[x', []],
  ])('a file whose name equals the pattern is found, even with brackets and braces: %j finds %j', async (pattern, found) => {
    const names = ['app/[id]/page.tsx', 'app/i/page.tsx', 'app/[[...all]]/page.tsx', 'app/[user-id]/page.tsx', 'b1.md', 'b{1,2}.md']
    const more = ['a[b.md', 'a}.md', String.raw`c\d.md`, 'cd.md', '!(x).md', 'x.md', 'ig/[x']
    const env = over({ ...Object.fromEntries([...names, ...more].map((name) => [name, ''])), '.gitignore': 'ig' })
    const outside = tempFolder()
    plant(outside, { '[x': '' })
    symlinkSync(outside, join(env.workingDirectory(), 'out'))
    const paths = await env.glob(pattern, '.').then(
      (result) => result.paths,
      () => [],
    )
    expect(new Set(paths)).toEqual(new Set(found))
  })

  it.each([
    ['{src/**,*.md}', ['b.md', 'src/a.ts', 'src/deep/c.ts', 'src/deep/d.md']],
    ['{**/a,b}.*', ['b.md', 'src/a.ts']],
    ['src/{**/,}c.ts', ['src/deep/c.ts']],
    ['{lib,src/**}/d.md', ['src/deep/d.md']],
    ['src/{}/', []],
    ['src/.//deep/./c.ts', ['src/deep/c.ts']],
    [String.raw`src/deep/[\c].ts`, ['src/deep/c.ts']],
    ['{}', []],
    ['src/{,deep/**}', ['src/deep/c.ts', 'src/deep/d.md']],
    ['{src/{deep/**,x},none}', ['src/deep/c.ts', 'src/deep/d.md']],
    ['**{,.md}', ['b.md', 'src/a.ts', 'src/deep/c.ts', 'src/deep/d.md']],
  ])('** means the same inside braces as outside: %j finds %j', async (pattern, found) => {
    const env = over({ 'src/a.ts': '', 'src/deep/c.ts': '', 'src/deep/d.md': '', 'b.md': '' })
    expect((await env.glob(pattern, '.')).paths.toSorted()).toEqual(found)
  })

  it.each([
    ['**', ['app/(g)/p.ts', 'app/[id]/q.ts', 'we\nird.txt', 'x/y/z.tsx']],
    ['**/*', ['app/(g)/p.ts', 'app/[id]/q.ts', 'we\nird.txt', 'x/y/z.tsx']],
    ['we*', ['we\nird.txt']],
    ['app/(g)/*', ['app/(g)/p.ts']],
    ['**/(g)/**', ['app/(g)/p.ts']],
    ['app/(*)/*.ts', ['app/(g)/p.ts']],
    [String.raw`app/\[id\]/*`, ['app/[id]/q.ts']],
    ['app/[[]id]/*', ['app/[id]/q.ts']],
    ['*/*', []],
    ['*/*/*', ['app/(g)/p.ts', 'app/[id]/q.ts', 'x/y/z.tsx']],
    ['{x/y,app/(g)}/*', ['app/(g)/p.ts', 'x/y/z.tsx']],
    ['x/**/z.tsx', ['x/y/z.tsx']],
    ['x/**', ['x/y/z.tsx']],
    ['**/[x-z]/*', ['x/y/z.tsx']],
  ])('%j finds %j', async (pattern, found) => {
    const env = over({ 'app/(g)/p.ts': '', 'app/[id]/q.ts': '', 'we\nird.txt': '', 'x/y/z.tsx': '' })
    expect((await env.glob(pattern, '.')).paths.toSorted()).toEqual(found)
  })

  it.each(['[', 'a[b', '{a', 'a}', '@(a|!(b))', '\\'])(
    'fault 21: %j is refused with EINVAL and never reported as "no match"',
    async (pattern) => {
      expect(await failureOf(over({ a: '' }).glob(pattern, '.'))).toMatchObject({ code: 'EINVAL' })
    },
  )

  it('survives circular links, lists no links, and fails if the path is not a folder', async () => {
    const env = over({ 'a/b.ts': '', file: '' })
    symlinkSync('..', join(env.workingDirectory(), 'a/up'))
    symlinkSync('b.ts', join(env.workingDirectory(), 'a/link.ts'))
    expect((await env.glob('**/*.ts', '.')).paths).toEqual(['a/b.ts'])
    expect([await failureOf(env.glob('*', 'gone')), await failureOf(env.glob('*', 'file'))]).toMatchObject([
      { code: 'ENOENT' },
      { code: 'ENOTDIR' },
    ])
  })

  it('rejects with the abort’s reason', async () => {
    const reason = new Error('no longer wanted')
    await expect(over({ a: '' }).glob('*', '.', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
