import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blameHandler } from '../../main/api/blame.ts'
import { trustedPlaces } from '../../main/compose/session-places/session-place.ts'
import { type Blame, writerOf } from '../../shared/api/changes/blame.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import { type AgentPlace, agentPlace, eventsOf, send } from './support/agent-place.ts'
import { ANY } from '../history/any-query.ts'

async function found({ app }: AgentPlace, words: string) {
  const all = await app.history.search({ ...ANY, words })
  if (!all.ok) throw new Error(all.failure.what)
  return all.value.hits.map(({ sessionId, foundIn }) => ({ sessionId, foundIn }))
}

/** For each line of a file in the layer: the step that wrote it. Null for lines that no step wrote. */
function stepsOf(blame: Blame, lines: number): readonly (number | null)[] {
  return Array.from({ length: lines }, (_, at) => {
    const writer = writerOf(blame, at + 1)
    return writer !== null && 'step' in writer ? writer.step : null
  })
}

describe.skipIf(hasNoCopies)('the history of a third-party agent', () => {
  test('finds what it said in each of 20 sessions, and what it did and printed in one', async () => {
    const place = await agentPlace()
    const ids: string[] = []
    for (let at = 0; at < 20; at++) {
      const session = await place.start()
      const act = at === 7 ? [{ run: 'echo printed-quokka' }, { write: ['wombat.txt', 'x'] }] : []
      await send(session, [...act, { say: `Spoken numbat ${at}.` }])
      ids.push(session.sessionId)
      await place.app.sessions.discard(session.sessionId)
    }
    const spoken = (await found(place, 'numbat')).filter(({ foundIn }) => foundIn === 'answer')
    expect(spoken.map(({ sessionId }) => sessionId).toSorted()).toEqual(ids.toSorted())
    expect((await found(place, 'printed-quokka')).map(({ sessionId }) => sessionId)).toContain(ids[7])
    expect((await found(place, 'wombat.txt')).map(({ sessionId }) => sessionId)).toContain(ids[7])
  })

  test('tells which of its steps wrote a line, in the layer, and in the folder once it was signed', async () => {
    const place = await agentPlace()
    const { app, project, start } = place
    await writeFile(join(project, 'a.txt'), 'one\ntwo\nthree\n')
    const session = await start()
    await send(session, [{ write: ['a.txt', 'one\nTWO\nthree\n'] }])
    await send(session, [{ write: ['a.txt', 'one\nTWO\nthree\nfour\n'] }])
    const blame = blameHandler({
      blamer: app.blamer,
      layerOf: app.store.sessions.layerOf,
      folderOf: () => null,
      openPlace: trustedPlaces(app),
    })
    const traced = async (sessionId: typeof session.sessionId) => {
      const outcome = await blame({ sessionId, path: join(project, 'a.txt'), version: null }, {
        signal: new AbortController().signal,
      } as never)
      if (!outcome.ok) throw new Error(outcome.trouble.what)
      return outcome.blame
    }
    expect(stepsOf(await traced(session.sessionId), 4)).toEqual([null, 1, null, 2])
    const asked = await bringIn(app, session.sessionId, AbortSignal.timeout(60_000))
    if (!asked.ok) throw new Error(asked.failure.what)
    const signing = asked.value.session
    const [request] = eventsOf(signing, 'APPROVAL_REQUESTED')
    if (request) await signing.answer({ ...request, answer: { kind: 'sign' }, from: 'terminal' })
    await signing.running()?.idle()
    const inFolder = await traced(signing.sessionId)
    const writers = [1, 2, 3, 4].map((line) => writerOf(inFolder, line))
    expect(writers).toMatchObject([
      { kind: 'earlier' },
      { kind: 'step', sessionId: session.sessionId, step: 1 },
      { kind: 'earlier' },
      { kind: 'step', sessionId: session.sessionId, step: 2 },
    ])
  })

  test('is replayed step by step, with its files at each moment', async () => {
    const { app, start } = await agentPlace()
    const session = await start()
    await send(session, [{ write: ['a.txt', 'a'] }, { write: ['b.txt', 'b'] }, { say: 'Over.' }])
    const changes = [...session.record.read()].filter(({ event }) => event.kind === 'FILES_CHANGED').map(({ seq }) => seq)
    const filesAt = async (seq: number): Promise<readonly string[]> => {
      const moment = await app.history.moment(session.sessionId, seq)
      if (!moment.ok) throw new Error(moment.failure.what)
      return moment.value.state.items.flatMap((item) => (item.kind === 'call' ? item.files.map(({ shown }) => shown) : []))
    }
    expect(await filesAt(changes[0] ?? 0)).toEqual(['a.txt'])
    expect(await filesAt(changes[1] ?? 0)).toEqual(['a.txt', 'b.txt'])
    const outline = await app.history.outline(session.sessionId)
    expect(outline).toMatchObject({ ok: true, value: { turns: [{ stepsBefore: 0, stepsAfter: 2 }] } })
  })
})
