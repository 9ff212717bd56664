import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { checkStore } from '../kills/kill-rounds.ts'
import { call, calls, say } from '../support/scripted-model.ts'

const FOLDERS = 200
const FILES = 1_000

test(
  'in a folder of 200,000 files a run completes and can be rolled back, and files that were not compared are reported',
  { timeout: 900_000 },
  async () => {
    const at = await place([
      calls(call('read_file', { file_path: 'd199/f999.txt' })),
      calls(call('write_file', { file_path: 'd199/f999.txt', content: 'changed\n' })),
      calls(call('shell', { command: 'echo changed > a.txt' })),
      calls(call('glob', { pattern: '**/f7.txt' }), call('grep', { pattern: 'changed' })),
      say('Done.'),
    ])
    for (let folder = 0; folder < FOLDERS; folder++) {
      mkdirSync(join(at.cwd, `d${folder}`))
      for (let file = 0; file < FILES; file++) writeFileSync(join(at.cwd, `d${folder}/f${file}.txt`), `${file}\n`)
    }
    writeFileSync(join(at.cwd, 'a.txt'), 'mine\n')
    const run = await runAgent(['--approve', 'all', '--sandbox', 'off', 'Begin'], at)
    expect([run.code, run.stderr]).toEqual([0, ''])
    const ends = run.events.flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [event] : []))
    expect(ends.map(({ isError }) => isError)).toEqual([false, false, false, false, false])
    const texts = () => ['a.txt', 'd199/f999.txt'].map((name) => readFileSync(join(at.cwd, name), 'utf8'))
    expect(texts()).toEqual(['changed\n', 'changed\n'])
    const back = await runAgent(['rollback', '0'], at)
    expect([texts(), back.stderr]).toEqual([['mine\n', '999\n'], ''])
    expect(back.stdout).toMatch(/not compared/u)
    await checkStore(at.data, { at: 0, before: '' })
  },
)
