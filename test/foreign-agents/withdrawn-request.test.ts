import { describe, expect, test } from 'vitest'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, eventsOf, send } from './support/agent-place.ts'
import { asked } from './support/signing.ts'

describe.skipIf(hasNoCopies)('a request to sign an agent’s work that Countersign withdraws', () => {
  test('says why, and never that the user stopped it', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['one.txt', '1\n'] }])
    const { signing } = await asked(place, session)
    await asked(place, session)
    await send(session, [{ write: ['two.txt', '2\n'] }])
    await asked(place, session)
    const target = { kind: 'step', step: 2 } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })
    await asked(place, session)
    await signing.stop()
    const ends = eventsOf(signing, 'PROCESSING_END').filter(({ reason }) => reason === 'stopped')
    expect(ends.map(({ withdrawn }) => withdrawn)).toEqual(['newer-request', 'next-turn', 'undo', undefined])
    expect(eventsOf(signing, 'TOOL_CALL_END')[0]?.modelText).toBe('Nothing was brought in, because the request was withdrawn.')
    const { items } = foldAll(emptySession(signing.sessionId), [...place.app.store.log(signing.sessionId).read({ after: 0 })])
    expect(items.flatMap((item) => (item.kind === 'notice' ? [item.trouble.what] : []))).toEqual([
      'This request was withdrawn, because a newer request took its place.',
      'This request was withdrawn, because the session went on working.',
      'This request was withdrawn, because work of the session was undone.',
      'The turn was stopped.',
    ])
  })
})
