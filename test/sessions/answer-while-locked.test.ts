import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { opened } from '../store/support/stores.ts'
import { openFamily } from '../subagents/support/family.ts'

it('an answer given while another process answers waits for it, and the first one counts', async () => {
  const write = calls(call('write_file', { path: 'a.txt', content: 'signed\n' }))
  const family = await openFamily(({ round }) => (round === 0 ? write : say('Done.')), { mode: 'ask', watched: true })
  const { parent } = family
  const { record } = parent
  parent.running()?.submit('Go')
  const waiting = await record.until(
    () => record.state().items.find((item) => item.kind === 'call' && item.status === 'waiting') ?? null,
    AbortSignal.timeout(60_000),
  )
  if (waiting.kind !== 'call' || !waiting.approval) throw new Error('Nothing waits for a signature.')
  const { toolCallId, approval } = waiting
  const data = join(family.folder, '..', 'data')
  const other = await opened(data)
  const lock = new Database(join(data, 'countersign.db'))
  onTestFinished(() => void lock.close())
  lock.exec('BEGIN IMMEDIATE')
  const { approvalId, hash } = approval
  const mine = parent.answer({ approvalId, hash, answer: { kind: 'sign' }, from: 'terminal' })
  await expect.poll(() => record.trouble()?.code, { interval: 1 }).toBe('storage_locked')
  lock.exec('COMMIT')
  other.log(parent.sessionId).append({
    kind: 'APPROVAL_ANSWERED',
    approvalId,
    toolCallId,
    answer: { kind: 'refused', note: null, by: 'person' },
  })
  expect(await mine).toMatchObject({ kind: 'ignored', why: 'answered' })
  await parent.running()?.idle()
  const answers = [...record.read()].filter(({ event }) => event.kind === 'APPROVAL_ANSWERED')
  expect(answers.length).toBe(1)
})
