import { expect, test } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, eventsOf, send } from '../foreign-agents/support/agent-place.ts'

const turnsOf = (event: ReturnType<typeof eventsOf<'APPROVAL_REQUESTED'>>[number] | undefined) =>
  event?.effects.flatMap((effect) => (effect.kind === 'command' ? [effect.broughtFrom?.agent] : []))

test.skipIf(hasNoCopies)('a request names the unsigned turns that changed its files, with their steps', async () => {
  const { app, start } = await agentPlace()
  const session = await start()
  await send(session, [{ write: ['a.txt', 'a'] }])
  await send(session, [{ say: 'Only talk.' }])
  await send(session, [{ run: 'true' }, { write: ['b.txt', 'b'] }, { write: ['c.txt', 'c'] }])
  const ask = async () => {
    const asked = await bringIn(app, session.sessionId, AbortSignal.timeout(60_000))
    if (!asked.ok) throw new Error(asked.failure.what)
    return asked.value.session
  }
  const signing = await ask()
  const request = eventsOf(signing, 'APPROVAL_REQUESTED').at(-1)
  expect(turnsOf(request)).toEqual([
    {
      name: 'Fake',
      turns: [
        { turn: 1, first: 1, last: 1, commands: [], moreCommands: 0, hosts: [] },
        { turn: 3, first: 3, last: 4, commands: ['true'], moreCommands: 0, hosts: [] },
      ],
    },
  ])
  if (request) await signing.answer({ ...request, answer: { kind: 'sign' }, from: 'terminal' })
  await signing.running()?.idle()
  await send(session, [{ write: ['a.txt', 'again'] }])
  expect(turnsOf(eventsOf(await ask(), 'APPROVAL_REQUESTED').at(-1))).toEqual([
    { name: 'Fake', turns: [{ turn: 4, first: 5, last: 5, commands: [], moreCommands: 0, hosts: [] }] },
  ])
})
