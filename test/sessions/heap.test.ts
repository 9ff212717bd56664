import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { say } from '../support/scripted-model.ts'
import { openOffice } from './support/office.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Resolves with the number of these objects that are still in memory, as soon as none is left or after the last try. */
async function left(refs: readonly WeakRef<object>[]): Promise<number> {
  for (let tries = 0; tries < 400 && refs.some((ref) => ref.deref()); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    collect()
  }
  return refs.filter((ref) => ref.deref()).length
}

/** This is a separate function, so that no local variable keeps the session alive. */
async function workedAndClosed(office: Awaited<ReturnType<typeof openOffice>>): Promise<readonly WeakRef<object>[]> {
  const session = await office.create('full')
  await session.send({ inputId: 'in_1', text: 'Go', delivery: 'queue' })
  await session.running()?.idle()
  const refs = [session, session.record, session.record.memory(), session.record.memory().transcript].map((one) => new WeakRef(one))
  await office.sessions.close(session.sessionId)
  return refs
}

test('a closed session releases its memory: record, caches and conversation', async () => {
  const office = await openOffice(() => say('word '.repeat(50_000)))
  const refs = [...(await workedAndClosed(office)), ...(await workedAndClosed(office))]
  expect(refs).toHaveLength(8)
  expect(await left(refs)).toBe(0)
})
