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

const PRELOAD = { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'jumping-clock.ts')}` }

test.each([
  ['jumps back and forth by a day', { CLOCK_JUMPS: '1' }],
  ['reaches the hour that daylight saving time skips', { TZ: 'Europe/Berlin', CLOCK_AT: '2026-03-29T00:59:57Z' }],
  ['reaches the hour that daylight saving time repeats', { TZ: 'Europe/Berlin', CLOCK_AT: '2026-10-25T00:59:57Z' }],
  ['reaches a day that its zone skips, years before its files were written', { TZ: 'Pacific/Apia', CLOCK_AT: '2011-12-30T09:59:57Z' }],
  ['is years ahead of its files', { CLOCK_AT: '2099-12-31T23:59:57Z' }],
])('a clock that %s: events stay in order, commands are recorded, and each step can be undone', async (_, clock) => {
  const at = await place([
    write('a.txt', 'one\n'),
    calls(call('shell', { command: 'echo two >> a.txt; echo changed > mine.txt' })),
    say('First.'),
    write('b.txt', 'b\n'),
    say('Second.'),
  ])
  writeFileSync(join(at.cwd, 'mine.txt'), 'mine\n')
  const odd = { ...at, env: { ...at.env, ...PRELOAD, ...clock } }
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
  const began = sessionId === null ? null : store.sessions.get(sessionId)?.startedAt
  store.close()
  if ('CLOCK_AT' in clock) expect(Math.abs((began ?? 0) - Date.parse(clock.CLOCK_AT))).toBeLessThan(60_000)
  expect(said).toEqual(['First task', 'Second task'])
  expect(durations.filter((ms) => ms === null || ms < 0 || ms > 60_000)).toEqual([])
  expect(durations).toHaveLength(3)
  const undone = await runAgent(['undo', '2'], odd)
  expect([undone.stderr, treeOf(at.cwd)]).toEqual(['', { 'a.txt': 'one\n', 'b.txt': 'b\n', 'mine.txt': 'mine\n' }])
  const back = await runAgent(['rollback', '0'], odd)
  expect([back.stderr, treeOf(at.cwd)]).toEqual(['', { 'mine.txt': 'mine\n' }])
  await checkStore(at.data, { at: 0, before: '' })
})
