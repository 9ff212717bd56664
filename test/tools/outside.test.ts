import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Workbench, createWorkbench, effectsOf } from './workbench.ts'

/**
 * A call about a file outside the folder needs approval before the model learns anything from that file: its lines, its cells, or the
 * names next to it (C9, D-50).
 */
let bench: Workbench
let outside: string
beforeEach(() => {
  bench = createWorkbench()
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-outside-')))
  writeFileSync(join(outside, 'id_rsa'), SECRET)
  writeFileSync(join(outside, 'picture'), Buffer.from([0, 1, 2]))
  const cells = [{ cell_type: 'code', source: ['a secret cell'], outputs: [], metadata: {} }]
  writeFileSync(join(outside, 'a.ipynb'), JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }))
  symlinkSync(outside, join(bench.root, 'way'))
})
afterEach(async () => {
  rmSync(outside, { recursive: true })
  await bench.dispose()
})

const SECRET = 'BEGIN\na secret line\nEND\n'
const edit = (file_path: string, old_string: string) => ({ file_path, old_string, new_string: 'x' })
const patch = (path: string, line: string) => ({ patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${line}\n+x\n*** End Patch` })

describe.each([
  ['reached by its path', (name: string) => join(outside, name)],
  ['reached through a link', (name: string) => join('way', name)],
])('a file outside the folder, %s', (_, at) => {
  it.each<[string, string, () => object]>([
    ['edit_file without a match', 'edit_file', () => edit(at('id_rsa'), 'a secret lime')],
    ['edit_file with several matches', 'edit_file', () => edit(at('id_rsa'), 'E')],
    ['edit_file with one match', 'edit_file', () => edit(at('id_rsa'), 'a secret line')],
    ['multi_edit', 'multi_edit', () => ({ edits: [edit(at('id_rsa'), 'a secret lime')] })],
    ['apply_patch without a match', 'apply_patch', () => patch(at('id_rsa'), 'a secret lime')],
    ['apply_patch with a match', 'apply_patch', () => patch(at('id_rsa'), 'a secret line')],
    ['notebook_edit', 'notebook_edit', () => ({ file_path: at('a.ipynb'), cell_idx: 9, content: 'x' })],
    ['write_file', 'write_file', () => ({ file_path: at('id_rsa'), content: SECRET })],
    ['write_file over a binary file', 'write_file', () => ({ file_path: at('picture'), content: 'x' })],
  ])('%s reveals nothing about a file that the user has not approved for reading', async (_name, tool, args) => {
    const { output, isError } = await bench.call(tool, args())
    expect([isError, output]).toEqual([true, expect.stringMatching(/you have not read it\. Read it first/u)])
    expect(output).not.toMatch(/binary|secret|cell 0|cells 0|lines? \d/u)
    expect(readFileSync(join(outside, 'id_rsa'), 'utf8')).toBe(SECRET)
  })

  it.each<[string, (path: string) => object]>([
    ['edit_file', (path) => edit(path, 'y')],
    ['notebook_edit', (file_path) => ({ file_path, cell_idx: 0, content: 'x' })],
    ['delete_file', (file_path) => ({ file_path })],
    ['apply_patch', (path) => patch(path, 'x')],
  ])('%s of a missing file does not reveal similar names', async (tool, args) => {
    const { output, isError } = await bench.call(tool, args(at('id_rs')))
    expect([isError, output]).toEqual([true, expect.stringContaining('does not exist')])
    expect(output).not.toContain('id_rsa')
  })

  it('can be edited with a signature once the user has approved reading it', async () => {
    await bench.call('read_file', { file_path: at('id_rsa') })
    expect(effectsOf(await bench.prepare('edit_file', edit(at('id_rsa'), 'a secret line')))).toMatchObject([
      { kind: 'write', path: join(outside, 'id_rsa'), outside: true },
    ])
    expect((await bench.call('edit_file', edit(at('id_rsa'), 'a secret lime'))).output).toContain('a secret line')
  })
})

describe('a search that begins at a link', () => {
  it.each(['way/*', './way/*', 'way/id_rsa', 'way/sub/*'])('glob %s leads outside and needs approval', async (pattern) => {
    expect(effectsOf(await bench.prepare('glob', { pattern }))).toMatchObject([{ kind: 'read', outside: true }])
  })

  it('finds files if the link leads to a place inside the folder', async () => {
    mkdirSync(join(bench.root, 'real'))
    writeFileSync(join(bench.root, 'real/a.txt'), 'x')
    symlinkSync('real', join(bench.root, 'near'))
    expect(await bench.call('glob', { pattern: 'near/*' })).toMatchObject({ isError: false, output: 'real/a.txt' })
  })

  it('finds nothing with read_many_files or the environment’s own glob', async () => {
    const { output } = await bench.call('read_many_files', { paths: ['way/*'] })
    expect(output).toBe('No file matches.')
    expect(await bench.env.glob('way/*', '.')).toEqual({ paths: [], total: 0 })
  })
})
