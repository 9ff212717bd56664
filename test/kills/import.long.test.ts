import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { opened } from '../store/support/stores.ts'
import { checkStore, killRounds } from './kill-rounds.ts'

/** Creates an export of a session of several hundred events with a subagent. */
async function exported() {
  const at = await place(({ body }) => {
    const said = JSON.stringify(body.messages)
    if (said.includes('CHILD') && !said.includes('Begin')) return say('Finished.')
    if (!said.includes('"task"'))
      return calls(
        call('task', { agent_type: 'explore', prompt: 'CHILD' }),
        ...Array.from({ length: 100 }, (_, n) => call('write_file', { file_path: `f${n}.txt`, content: `${n}\n`.repeat(2_000) })),
      )
    return say('Done.')
  })
  const run = await runAgent(['--approve', 'all', '--sandbox', 'off', 'Begin'], at)
  expect([run.code, run.stderr]).toEqual([0, ''])
  const { stdout } = await runAgent(['export', 'last', '--format', 'json'], at)
  const path = join(at.cwd, 'session.jsonl')
  writeFileSync(path, stdout)
  return { at, path }
}

test(
  'whichever disk write an import is killed at, the import is either complete or gone after the next launch',
  { timeout: 900_000 },
  async () => {
    const { at, path } = await exported()
    const before = await eventsIn(at.data)
    let whole: readonly number[] = []
    await killRounds(at, ['import', path], {
      rounds: 40,
      async whole() {
        whole = await eventsIn(at.data)
        expect(whole.length).toBe(before.length * 2)
      },
      async check(killed) {
        expect([killed, (await runAgent(['export', 's_none'], at)).code]).toEqual([killed, 1])
        expect([killed, [before, whole]]).toEqual([killed, expect.arrayContaining([await eventsIn(at.data)])])
        await checkStore(at.data, killed)
      },
    })
  },
)

/** Returns the number of events of each session, in ascending order. */
async function eventsIn(data: string): Promise<readonly number[]> {
  const store = await opened(data)
  try {
    return store.sessions
      .list()
      .map(({ sessionId }) => [...store.log(sessionId).read()].length)
      .toSorted((a, b) => a - b)
  } finally {
    store.close()
  }
}
