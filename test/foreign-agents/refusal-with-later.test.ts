import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, eventsOf, send } from './support/agent-place.ts'
import { asked, seenBy, withLines } from './support/signing.ts'

describe.skipIf(hasNoCopies)('a refusal of work of which a part is decided later', () => {
  test('removes only the rest from the layer, and the next request asks about that part again', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', withLines({})] }, { write: ['bad.txt', 'bad\n'] }, { write: ['wait.txt', 'wait\n'] }])
    const { signing, request } = await asked(place, session)
    const later = [
      { kind: 'leave', path: join(place.project, 'a.txt') },
      { kind: 'leave', path: join(place.project, 'bad.txt') },
      { kind: 'leave', path: join(place.project, 'wait.txt'), later: true },
    ] as const
    const outcome = await signing.answer({ ...request, answer: { kind: 'refuse', note: 'No.', later }, from: 'terminal' })
    expect(outcome).toMatchObject({ kind: 'accepted' })
    await signing.running()?.idle()
    expect(await seenBy(session, 'ls')).toBe('wait.txt\n')
    const again = await asked(place, session)
    expect(again.request.effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : []))).toEqual(['wait.txt'])
    expect(eventsOf(signing, 'APPROVAL_ANSWERED').map(({ answer }) => answer.kind)).toEqual(['refused'])
  })

  test('is not accepted if everything is decided later', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['wait.txt', 'wait\n'] }])
    const { signing, request } = await asked(place, session)
    const later = [{ kind: 'leave', path: join(place.project, 'wait.txt'), later: true }] as const
    const outcome = await signing.answer({ ...request, answer: { kind: 'refuse', note: null, later }, from: 'terminal' })
    expect(outcome).toMatchObject({ kind: 'ignored', why: 'cannot_amend' })
  })
})
