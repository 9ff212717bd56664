import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { DoctorReport } from '../../shared/api/doctor.ts'
import { say } from '../support/scripted-model.ts'
import { opened } from '../store/support/stores.ts'
import { runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'

test('doctor exits with 1 if there is damage, and after --repair the session can be found again', async () => {
  const at = await place([say('A needle in the answer.')])
  await runAgent(['find it'], at)
  const sound = await runAgent(['doctor'], at)
  expect(sound).toMatchObject({ code: 0, stderr: '' })
  expect(sound.stdout).toMatch(/^Sessions: 1 on disk · 1 listed · 1 readable\n[^]*No damage found\./u)

  const db = new Database(join(at.data, 'countersign.db'))
  db.exec(`UPDATE events SET event = '{"kind":' WHERE event ->> 'kind' = 'USAGE'`)
  db.close()
  const damaged = await runAgent(['doctor', '--json'], at)
  expect(damaged.code).toBe(1)
  const report = JSON.parse(damaged.stdout) as DoctorReport
  expect(report).toMatchObject({ onDisk: 1, listed: 1, readable: 0, findings: [{ code: 'doctor_event', isRepairable: true }] })

  const store = await opened(at.data)
  const shared = await runAgent(['doctor', '--repair'], at)
  expect([shared.code, shared.stdout, shared.stderr.split('\n')]).toEqual([
    1,
    '',
    [
      'Another Countersign process has this data folder open, so nothing was repaired.',
      'Everything is unchanged.',
      'Close the other window or stop the other run, then repair again.',
      '',
    ],
  ])
  store.close()
  const repaired = await runAgent(['doctor', '--repair'], at)
  expect(repaired).toMatchObject({ code: 0, stdout: expect.stringContaining('Repaired: One damaged event') })
  expect((await runAgent(['doctor'], at)).stdout).toContain('1 readable')
  const index = new Database(join(at.data, 'search.db'), { readonly: true })
  expect(index.prepare(`SELECT count(*) FROM words WHERE words MATCH '"needle"'`).pluck().get()).toBe(1)
  index.close()
}, 240_000)
