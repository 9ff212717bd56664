import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpoint, checkpointArguments } from './program/checkpoint.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function played(...steps: readonly object[]) {
  const folder = temporaryFolder('checkpoint')
  const run = await checkpoint(folder, checkpointArguments.parse({ steps, sandbox: 'off' }), new AbortController().signal)
  const text = (path: string): string | null => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null)
  return { run, text, folder }
}
const write = (path: string, content: string) => ({ write: { path, content } })
const edit = (path: string, content: string) => ({ edit: { path, content } })

test('going back restores changed and deleted files and deletes created files, and a redo reverses this', async () => {
  const steps = [
    write('a', '1\n'),
    write('gone', 'g\n'),
    { checkpoint: 'two' },
    write('a', '2\n'),
    write('dir/new', 'n\n'),
    { delete: 'gone' },
  ]
  const back = await played(...steps, { restore: 'two' })
  expect(back.run).toMatchObject({ ok: true, restored: ['a', 'gone'], deleted: ['dir/new'], skipped: [], errors: [] })
  expect([back.text('a'), back.text('gone'), back.text('dir/new')]).toEqual(['1\n', 'g\n', null])
  const redone = await played(...steps, { restore: 'two' }, { redo: true })
  expect(redone.run).toMatchObject({ ok: true, errors: [] })
  expect([redone.text('a'), redone.text('gone'), redone.text('dir/new')]).toEqual(['2\n', null, 'n\n'])
})

test('a file that the user has changed since the step is skipped, and restored only on request', async () => {
  const steps = [write('mine', 'agent\n'), write('other', 'o\n'), edit('mine', 'person\n')]
  const skipped = await played(...steps, { restore: 0 })
  expect(skipped.run).toMatchObject({ ok: false, deleted: ['other'], skipped: [{ path: 'mine', why: 'changed-since' }] })
  expect([skipped.text('mine'), skipped.text('other')]).toEqual(['person\n', null])
  const forced = await played(...steps, { restore: 0, anyway: true }, { redo: true })
  expect(forced.text('mine')).toBe('person\n')
})

test('one of five steps is undone, and later work in the same file is kept', async () => {
  const lines = (change: Readonly<Record<number, string>>) =>
    Array.from({ length: 12 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join('')
  const { run, text } = await played(
    write('f', lines({})),
    write('f', lines({ 1: 'step two' })),
    write('f', lines({ 1: 'step two', 6: 'step three' })),
    edit('f', lines({ 1: 'step two', 6: 'step three', 10: 'person' })),
    write('g', 'four\n'),
    { undo: 2 },
  )
  expect(run).toMatchObject({ ok: true, restored: ['f'], errors: [] })
  expect(text('f')).toBe(lines({ 6: 'step three', 10: 'person' }))
  expect(text('g')).toBe('four\n')
})

test('changes of a command are reverted, and untracked and ignored files of the user are kept', async () => {
  const { run, text, folder } = await played(
    edit('.gitignore', 'out/\n'),
    edit('out/result', 'kept\n'),
    edit('notes', 'mine\n'),
    { shell: 'echo made > made; rm notes; echo more >> .gitignore' },
    { restore: 0 },
  )
  expect(run).toMatchObject({ restored: ['.gitignore', 'notes'], deleted: ['made'], uncovered: [{ path: 'Ignored files' }], errors: [] })
  expect([text('out/result'), text('notes'), text('made'), text('.gitignore')]).toEqual(['kept\n', 'mine\n', null, 'out/\n'])
  expect(readdirSync(folder).toSorted()).toEqual(['.gitignore', 'notes', 'out'])
})

test('paths outside the folder are refused', () => {
  expect(checkpointArguments.safeParse({ steps: [write('../x', '')] }).success).toBe(false)
  expect(checkpointArguments.safeParse({ steps: [write('/x', '')] }).success).toBe(false)
})
