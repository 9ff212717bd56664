import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { treeOf } from '../kills/file-tree.ts'
import { checkStore } from '../kills/kill-rounds.ts'
import { opened } from '../store/support/stores.ts'
import { call, calls, say } from '../support/scripted-model.ts'

const write = (path: string, content: string) => calls(call('write_file', { file_path: path, content }))
const RUN = ['--approve', 'all', '--sandbox', 'off'] as const

test.each([
  ['jumps by a day, back and forth', { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'jumping-clock.ts')}` }],
  ['is in a zone that skips a day', { TZ: 'Pacific/Apia' }],
  [
    'goes through a change of daylight saving time',
    { TZ: 'Australia/Lord_Howe', NODE_OPTIONS: `--import=${join(import.meta.dirname, 'jumping-clock.ts')}` },
  ],
])('a clock that %s: the order is that of the events, commands are recorded, and each step can be undone', async (_, clock) => {
  const at = await place([
    write('a.txt', 'one\n'),
    calls(call('shell', { command: 'echo two >> a.txt; echo changed > mine.txt' })),
    say('First.'),
    write('b.txt', 'b\n'),
    say('Second.'),
  ])
  writeFileSync(join(at.cwd, 'mine.txt'), 'mine\n')
  const odd = { ...at, env: { ...at.env, ...clock } }
  for (const args of [['First task'], ['--continue', 'Second task']]) {
    const run = await runAgent([...RUN, ...args], odd)
    expect([run.code, run.stderr]).toEqual([0, ''])
  }
  expect(treeOf(at.cwd)).toEqual({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'mine.txt': 'changed\n' })
  const store = await opened(at.data)
  const [{ sessionId } = { sessionId: null }] = store.sessions.list()
  const said =
    sessionId === null ? [] : [...store.log(sessionId).read()].flatMap(({ event }) => (event.kind === 'USER_INPUT' ? [event.text] : []))
  const durations =
    sessionId === null ? [] : [...store.log(sessionId).read()].flatMap(({ event }) => ('durationMs' in event ? [event.durationMs] : []))
  store.close()
  expect(said).toEqual(['First task', 'Second task'])
  expect(durations.filter((ms) => ms === null || ms < 0 || ms > 60_000)).toEqual([])
  expect(durations).toHaveLength(3)
  const undone = await runAgent(['undo', '2'], odd)
  expect([undone.stderr, treeOf(at.cwd)]).toEqual(['', { 'a.txt': 'one\n', 'b.txt': 'b\n', 'mine.txt': 'mine\n' }])
  const back = await runAgent(['rollback', '0'], odd)
  expect([back.stderr, treeOf(at.cwd)]).toEqual(['', { 'mine.txt': 'mine\n' }])
  await checkStore(at.data, { at: 0, before: '' })
})
