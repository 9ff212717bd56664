import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { benchOfEachTest } from '../bench-of-each-test.ts'
import { textOf } from '../workbench.ts'

const bench = benchOfEachTest()

function put(name: string, content = 'word\n'): void {
  mkdirSync(dirname(join(bench.root, name)), { recursive: true })
  writeFileSync(join(bench.root, name), content)
}

async function lines(name: string, args: object): Promise<readonly string[]> {
  const { output } = await bench.call(name, args)
  return textOf(output).split('\n').toSorted()
}

/** A name, the pattern that a model writes for it, and a file that the pattern also matches as a pattern. */
const NAMES: readonly (readonly [file: string, pattern: string])[] = [
  ['{{cookiecutter.x}}/a.ts', '{{cookiecutter.x}}/**'],
  ['{{cookiecutter.x}}/src/a.ts', '{{cookiecutter.x}}/src/*.ts'],
  ['{id}/a.ts', '{id}/*'],
  ['a{b}/a.ts', 'a{b}/*'],
  ['src/{id}/a.ts', 'src/{id}/*.ts'],
  ['deep/down/{id}/a.ts', '**/{id}/*.ts'],
  ['deep/{{ x }}/a.ts', '**/{{ x }}/**'],
  ['{a,b}/a.ts', '{a,b}/*'],
  ['{{ x, y }}.ts', '{{ x, y }}.ts'],
  ['open{/a.ts', 'open{/*'],
  ['{}/a.ts', '{}/*'],
  ['[id]/a.ts', '[id]/*'],
  ['[...slug]/a.ts', '[...slug]/*'],
  ['(group)/a.ts', '(group)/*'],
  ['two words/a.ts', 'two words/*'],
  ["it's/a.ts", "it's/*"],
  ['$HOME/a.ts', '$HOME/*'],
]

describe('a name that looks like a pattern', () => {
  it.each(NAMES)('%s is found with %s by glob, grep and read_many_files', async (file, pattern) => {
    put(file)
    put('other/b.md')
    expect(await lines('glob', { pattern })).toEqual([file])
    expect(await lines('grep', { pattern: 'word', include: pattern })).toEqual([`${file}:1:word`])
    expect(await bench.call('read_many_files', { paths: [pattern] })).toMatchObject({ output: `--- ${file} ---\n     1\tword` })
  })

  it('braces are still alternatives, ranges and single choices where no such name exists', async () => {
    put('src/a.ts')
    put('lib/b.tsx')
    put('n1/c.ts')
    expect(await lines('glob', { pattern: '{src,lib}/*.{ts,tsx}' })).toEqual(['lib/b.tsx', 'src/a.ts'])
    expect(await lines('glob', { pattern: '**/*.{ts}' })).toEqual(['n1/c.ts', 'src/a.ts'])
    expect(await lines('glob', { pattern: 'n{1..3}/*' })).toEqual(['n1/c.ts'])
  })

  it('the existing name is meant, and the pattern is not', async () => {
    put('{a,b}/x.ts')
    put('a/x.ts')
    expect(await lines('glob', { pattern: '{a,b}/*' })).toEqual(['{a,b}/x.ts'])
  })
})

const COMPOSED = 'caf\u00e9'
const DECOMPOSED = 'cafe\u0301'

describe.each([
  ['a composed', COMPOSED, DECOMPOSED],
  ['a decomposed', DECOMPOSED, COMPOSED],
])('%s name on disk, given in the other form', (_, own, given) => {
  beforeEach(() => put(`${own}/${own}.txt`))

  const file = `${own}/${own}.txt`
  const asked = `${given}/${given}.txt`
  const onDisk = (): readonly string[] => readdirSync(bench.root, { recursive: true, encoding: 'utf8' }).toSorted()

  it.each([
    ['glob', { pattern: asked }, file],
    ['glob', { pattern: `${given}/*` }, file],
    ['glob', { pattern: `**/${given}.txt` }, file],
    ['glob', { pattern: '*', path: given }, file],
    ['grep', { pattern: 'word', path: given }, `${file}:1:word`],
    ['grep', { pattern: 'word', path: asked }, `${file}:1:word`],
    ['grep', { pattern: 'word', include: `${given}.txt` }, `${file}:1:word`],
    ['grep', { pattern: 'word', include: `${given}/**` }, `${file}:1:word`],
    ['list_dir', { path: given }, `${own}.txt (5 bytes)`],
    ['read_many_files', { paths: [asked] }, `--- ${file} ---\n     1\tword`],
    ['read_many_files', { paths: [`${given}/*`] }, `--- ${file} ---\n     1\tword`],
  ])('%s %j finds it', async (name, args, output) => {
    expect(await bench.call(name, args)).toMatchObject({ output, isError: false })
  })

  it.each([
    ['write_file', { file_path: asked, content: 'new\n' }, 'new\n'],
    ['edit_file', { file_path: asked, old_string: 'word', new_string: 'new' }, 'new\n'],
    ['apply_patch', { input: `*** Begin Patch\n*** Update File: ${asked}\n@@\n-word\n+new\n*** End Patch` }, 'new\n'],
    ['apply_patch', { input: `*** Begin Patch\n*** Add File: ${asked}\n+new\n*** End Patch` }, 'new\n'],
  ])('%s changes it and makes no twin', async (name, args, content) => {
    await bench.call('read_file', { file_path: asked })
    expect(await bench.call(name, args)).toMatchObject({ isError: false })
    expect([readFileSync(join(bench.root, file), 'utf8'), onDisk()]).toEqual([content, [own, file]])
  })

  it('delete_file deletes it, and a new file lands in the existing folder', async () => {
    expect(await bench.call('write_file', { file_path: `${given}/new/b.txt`, content: 'b' })).toMatchObject({ isError: false })
    expect(await bench.call('delete_file', { file_path: asked })).toMatchObject({ isError: false })
    expect(onDisk()).toEqual([own, `${own}/new`, `${own}/new/b.txt`])
  })

  it('if both forms exist, each name means its own file', async () => {
    put(`${own}/${given}.txt`, 'twin\n')
    expect(await bench.call('read_file', { file_path: `${own}/${given}.txt` })).toMatchObject({ output: '     1\ttwin' })
    expect(await bench.call('read_file', { file_path: file })).toMatchObject({ output: '     1\tword' })
  })
})
