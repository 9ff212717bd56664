import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AnswerOutcome } from '../../../../shared/api/approvals.ts'
import type { RuleDraft } from '../../../../shared/api/rules.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { emptySession, foldAll } from '../../../../shared/session/fold/fold.ts'
import { createApprovalDesk, type Signing } from '../../../../renderer/state/stores/approval-desk.ts'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import { approvalId, begun, input, requested, SESSION, stamped, started } from '../../../agent/support/events.ts'
import { otherSide, when } from '../support/other-side.ts'

const ID = approvalId('ap1')
const state = foldAll(emptySession(SESSION), stamped([started(), input('go'), begun('c1', 'shell'), requested('c1', 'ap1', 'the-hash')]))
const CALL = state.items.find((item): item is CallItem => item.kind === 'call') as CallItem
const ACCEPTED: AnswerOutcome = { kind: 'accepted' }

/**
 * Creates the approvals of a window. Its main process allows a request to be answered after `armsInMs`, and returns these outcomes in
 * turn.
 */
async function desk(outcomes: readonly AnswerOutcome[], armsInMs = 5) {
  const left = [...outcomes]
  const heard: string[] = []
  const side = otherSide({
    approvals: {
      shown: () => {
        heard.push('shown')
        return { armsInMs }
      },
      answer: ({ hash, answer }) => {
        heard.push(`${answer.kind} ${hash}${answer.kind === 'refuse' && answer.note !== null ? ` ${answer.note}` : ''}`)
        return left.shift() ?? ACCEPTED
      },
    },
    rules: {
      add: ({ rules }) => {
        heard.push(`rules ${rules.length}`)
        return { ok: true }
      },
    },
  })
  const connection = new Connection(side.open)
  await when(connection.state, ({ kind }) => kind === 'open')
  const voids: string[] = []
  const approvals = createApprovalDesk(connection, ({ what }) => voids.push(what))
  const reaches = (kind: Signing['kind']) => when(approvals.store, (all) => all.get(ID)?.kind === kind).then((all) => all.get(ID))
  return { approvals, heard, voids, side, connection, reaches, now: () => approvals.store.getState().get(ID) }
}

/** Replaces the window's own clock with one that the test advances. Messages over the wire still take real time. */
const holdTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 0 })
afterEach(() => void vi.useRealTimers())

describe('a request in this window', () => {
  test('is armed after the main process’s waiting time, and a signature applies to exactly what was shown', async () => {
    const { approvals, heard, reaches, connection } = await desk([ACCEPTED])
    void approvals.shown(SESSION, ID)
    expect(await reaches('arming')).toEqual({ kind: 'arming', note: null })
    await reaches('armed')
    await approvals.answer(SESSION, CALL, { kind: 'sign' })
    expect(await reaches('answered')).toEqual({ kind: 'answered', answer: 'sign', at: expect.any(Number) })
    expect(heard).toEqual(['shown', 'sign the-hash'])
    connection.dispose()
  })

  test('that the main process armed long ago still needs 300 ms in view, each time it comes into view', async () => {
    const { approvals, heard, now, connection } = await desk([ACCEPTED], 0)
    holdTime()
    const kindsAround300 = async (): Promise<readonly unknown[]> => {
      await vi.advanceTimersByTimeAsync(299)
      const before = now()?.kind
      await vi.advanceTimersByTimeAsync(1)
      return [before, now()?.kind]
    }
    void approvals.shown(SESSION, ID)
    expect(await kindsAround300()).toEqual(['arming', 'armed'])
    approvals.hidden(ID)
    expect(now()).toEqual({ kind: 'unseen', note: null })
    await approvals.answer(SESSION, CALL, { kind: 'sign' })
    void approvals.shown(SESSION, ID)
    expect(await kindsAround300()).toEqual(['arming', 'armed'])
    expect(heard).toEqual(['shown', 'shown'])
    connection.dispose()
  })

  test('that left the view while arming is not armed by the old countdown', async () => {
    const { approvals, reaches, now, connection } = await desk([], 5)
    const first = approvals.shown(SESSION, ID)
    await reaches('arming')
    approvals.hidden(ID)
    await first
    expect(now()).toEqual({ kind: 'unseen', note: null })
    connection.dispose()
  })

  test('is disarmed when another session is shown, and is armed again after 700 ms at the earliest', async () => {
    const { approvals, heard, now, connection } = await desk([], 0)
    await approvals.shown(SESSION, ID)
    expect(now()).toEqual({ kind: 'armed', note: null })
    holdTime()
    approvals.moved()
    await approvals.answer(SESSION, CALL, { kind: 'sign' })
    void approvals.shown(SESSION, ID)
    await vi.advanceTimersByTimeAsync(699)
    expect(now()).toEqual({ kind: 'arming', note: null })
    await vi.advanceTimersByTimeAsync(1)
    expect(now()).toEqual({ kind: 'armed', note: null })
    expect(heard).toEqual(['shown', 'shown'])
    connection.dispose()
  })

  test('cannot be signed before it is armed: nothing is sent', async () => {
    const { approvals, heard, now, connection } = await desk([])
    await approvals.answer(SESSION, CALL, { kind: 'sign' })
    expect({ heard, now: now() }).toEqual({ heard: [], now: undefined })
    connection.dispose()
  })

  test('is signed only once, however often the button is pressed', async () => {
    const { approvals, heard, reaches, connection } = await desk([ACCEPTED])
    await approvals.shown(SESSION, ID)
    await Promise.all([1, 2, 3].map(() => approvals.answer(SESSION, CALL, { kind: 'sign' })))
    await approvals.answer(SESSION, CALL, { kind: 'sign' })
    await reaches('answered')
    expect(heard).toEqual(['shown', 'sign the-hash'])
    connection.dispose()
  })

  test('can be refused with a note before it is armed: the refusal waits, and is sent once the request is armed', async () => {
    const { approvals, heard, reaches, connection } = await desk([ACCEPTED])
    await approvals.answer(SESSION, CALL, { kind: 'refuse', note: 'Smaller.' })
    expect(await reaches('answered')).toEqual({ kind: 'answered', answer: 'refuse', at: expect.any(Number) })
    expect(heard).toEqual(['shown', 'refuse the-hash Smaller.'])
    connection.dispose()
  })

  test('that is signed with rules creates the rules once the signature is accepted, and never if it is ignored', async () => {
    const rules: readonly RuleDraft[] = [{ answer: 'allow', when: { kind: 'command', pattern: 'ls' }, where: { kind: 'always' } }]
    const heardAfter = async (outcome: AnswerOutcome, kind: Signing['kind']): Promise<readonly string[]> => {
      const { approvals, heard, reaches, connection } = await desk([outcome])
      await approvals.shown(SESSION, ID)
      await approvals.answer(SESSION, CALL, { kind: 'sign', rules })
      await reaches(kind)
      connection.dispose()
      return heard
    }
    expect(await heardAfter(ACCEPTED, 'answered')).toEqual(['shown', 'sign the-hash', 'rules 1'])
    const ignored: AnswerOutcome = { kind: 'ignored', why: 'hash_differs', message: 'It has changed.' }
    expect(await heardAfter(ignored, 'void')).toEqual(['shown', 'sign the-hash'])
  })

  test.each(['answered', 'withdrawn', 'hash_differs', 'unknown', 'not_running_here'] as const)(
    'whose answer did not count (%s) shows the reason and accepts no other answer',
    async (why) => {
      const { approvals, heard, voids, reaches, connection } = await desk([{ kind: 'ignored', why, message: `It was ${why}.` }])
      await approvals.shown(SESSION, ID)
      await approvals.answer(SESSION, CALL, { kind: 'sign' })
      expect(await reaches('void')).toEqual({ kind: 'void', message: `It was ${why}.` })
      await approvals.answer(SESSION, CALL, { kind: 'sign' })
      expect({ voids, heard }).toEqual({ voids: [`Your answer did not count. It was ${why}.`], heard: ['shown', 'sign the-hash'] })
      connection.dispose()
    },
  )

  test('that the user tries to sign too early shows a note, and can be signed after it has been shown again', async () => {
    const tooEarly: AnswerOutcome = { kind: 'ignored', why: 'too_early', message: 'Too early.' }
    const { approvals, heard, reaches, connection } = await desk([tooEarly, ACCEPTED])
    await approvals.shown(SESSION, ID)
    await approvals.answer(SESSION, CALL, { kind: 'sign' })
    expect(await reaches('armed')).toEqual({ kind: 'armed', note: 'Too early.' })
    await approvals.answer(SESSION, CALL, { kind: 'sign' })
    await reaches('answered')
    expect(heard).toEqual(['shown', 'sign the-hash', 'shown', 'sign the-hash'])
    connection.dispose()
  })

  test('cannot be answered while the window is not connected, and a note says that it is not connected', async () => {
    const { approvals, side, connection, now, heard } = await desk([])
    side.away = true
    side.breakWire()
    await when(connection.state, ({ kind }) => kind === 'lost')
    for (const answer of [{ kind: 'sign' }, { kind: 'refuse', note: null }] as const) await approvals.answer(SESSION, CALL, answer)
    expect(now()).toEqual({ kind: 'unseen', note: expect.stringContaining('not connected') })
    expect(heard).toEqual([])
    connection.dispose()
  })
})
