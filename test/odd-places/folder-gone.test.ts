import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAgent } from '../headless/support/agent-process.ts'
import { type Place, place } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { treeOf } from '../kills/file-tree.ts'
import { checkStore } from '../kills/kill-rounds.ts'

const write = (path: string) => call('write_file', { file_path: path, content: `${path}\n` })
const AWAY = [
  write('b.txt'),
  write('dir/b.txt'),
  call('shell', { command: 'pwd; echo x > shell.txt' }),
  call('list_dir', { path: '.' }),
  call('glob', { pattern: '*' }),
  call('grep', { pattern: 'mine' }),
  call('read_file', { file_path: 'mine.txt' }),
]

/** Moves the folder away before the model's second answer, and back before its third answer. */
async function movedAway(): Promise<{ readonly at: Place; readonly away: string }> {
  const at: Place = await place(({ index }) => {
    if (index === 1) renameSync(at.cwd, `${at.cwd}-away`)
    if (index === 2) {
      expect(existsSync(at.cwd)).toBe(false)
      renameSync(`${at.cwd}-away`, at.cwd)
    }
    return [calls(write('a.txt')), calls(...AWAY), calls(write('c.txt')), say('Done.')][index] ?? say('Done.')
  })
  writeFileSync(join(at.cwd, 'mine.txt'), 'mine\n')
  return { at, away: `${at.cwd}-away` }
}

test('while the folder is moved away during a run, calls fail with a message and do not recreate the folder', async () => {
  const { at } = await movedAway()
  const run = await runAgent(['--approve', 'all', '--sandbox', 'off', 'Begin'], at)
  expect([run.code, run.stderr]).toEqual([0, ''])
  const ends = run.events.flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [event] : []))
  const words = ends.slice(1, 1 + AWAY.length).map(({ toolName, isError, output }) => [toolName, isError, output])
  expect(words).toEqual(AWAY.map(() => [expect.any(String), true, expect.stringMatching(/no longer exists/u)]))
  expect(treeOf(at.cwd)).toEqual({ 'a.txt': 'a.txt\n', 'c.txt': 'c.txt\n', 'mine.txt': 'mine\n' })
  const back = await runAgent(['rollback', '0'], at)
  expect([back.code, back.stderr, treeOf(at.cwd)]).toEqual([0, '', { 'mine.txt': 'mine\n' }])
  await checkStore(at.data, { at: 0, before: '' })
})

test('a rollback fails without changes while the folder is missing, and works once the folder is back', async () => {
  const at = await place([calls(write('a.txt')), say('Done.')])
  writeFileSync(join(at.cwd, 'mine.txt'), 'mine\n')
  expect((await runAgent(['--approve', 'all', '--sandbox', 'off', 'Begin'], at)).code).toBe(0)
  renameSync(at.cwd, `${at.cwd}-away`)
  const failed = await runAgent(['rollback', '0'], at)
  expect([failed.code, failed.stderr]).toEqual([expect.any(Number), expect.stringContaining(at.cwd)])
  expect([failed.code === 0, existsSync(at.cwd)]).toEqual([false, false])
  renameSync(`${at.cwd}-away`, at.cwd)
  const back = await runAgent(['rollback', '0'], at)
  expect([back.code, back.stderr, treeOf(at.cwd)]).toEqual([0, '', { 'mine.txt': 'mine\n' }])
})
