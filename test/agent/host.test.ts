import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, calls } from '../support/scripted-model.ts'
import { read, rigFor, said } from './support/scripted-rig.ts'

/** The host API of a session: everything that a program that embeds the session can do without a window. */
test('a host can control everything in a session: submit, watch, steer, read the history, change options, close (S-01, S-03)', async () => {
  const { provider, rig } = await rigFor([calls(read('a.txt')), say('One.'), say('Two.')])
  await writeFile(join(rig.folder, 'a.txt'), 'a')
  const { session } = rig
  const heard: string[] = []
  const watched = (async () => {
    for await (const { event } of session.events()) heard.push(event.kind)
  })()
  expect([session.state().run, rig.sessionId]).toEqual(['IDLE', session.record.sessionId])
  session.submit('first')
  session.steer('Only look')
  session.followUp('second')
  await session.idle()
  session.configure({ model: 'other', effort: 'low' })
  const history = session.record.memory().transcript.all()
  expect(history.map(({ kind }) => kind)).toEqual(['user', 'steering', 'assistant', 'tool_results', 'assistant', 'user', 'assistant'])
  expect(said({ provider }, 0)?.at(-1)).toEqual(['steering', 'Only look'])
  expect(session.state()).toMatchObject({ run: 'IDLE', queue: [], config: { model: 'other', effort: 'low' } })
  await session.close()
  await watched
  expect([session.state().run, heard.at(-1)]).toEqual(['CLOSED', 'SESSION_END'])
  expect(heard.filter((kind) => kind === 'USER_INPUT').length).toBe(2)
})
