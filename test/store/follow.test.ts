import { expect, it } from 'vitest'
import { emptySession, foldAll } from '../../shared/session/fold.ts'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { startChild } from './support/child.ts'
import { opened, session } from './support/stores.ts'
import { tempFolder } from './support/temp-folder.ts'

const ID = session('followed')

it('a process that follows a session gets every event that another process appends, once and in order', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const heard: AnyEnvelope[] = []
  const complete = new Promise<void>((resolve) => {
    store.subscribe(ID, (envelopes) => {
      heard.push(...envelopes)
      if (heard.length === 5 * 60) resolve()
    })
  })
  startChild('writer', [folder, ID, '60'])
  await complete
  expect(heard).toEqual([...store.log(ID).read()])
  expect(foldAll(emptySession(ID), heard)).toEqual(store.ledger.snapshot(ID, Number.MAX_SAFE_INTEGER))
})

it('a process that watches the list hears of sessions that others change, and of their last state', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const titles = new Map<string, number>()
  const complete = new Promise<void>((resolve) => {
    store.subscribeAll(({ sessionId, steps }) => {
      titles.set(sessionId, steps)
      if ([...titles.values()].filter((count) => count === 30).length === 2) resolve()
    })
  })
  startChild('writer', [folder, 'one', '30'])
  startChild('writer', [folder, 'two', '30'])
  await complete
  expect(titles).toEqual(new Map([...titles.keys()].map((id) => [id, 30])))
  expect(
    store.sessions
      .list()
      .map(({ sessionId }) => sessionId)
      .toSorted(),
  ).toEqual(['one', 'two'])
})

it('two processes that append to one session at once lose nothing and agree on the order', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const children = [startChild('writer', [folder, ID, '40']), startChild('writer', [folder, ID, '40'])]
  await Promise.all(children.map((child) => child.next()))
  const said = await Promise.all(
    children.map(async (child) => {
      const seqs: unknown[] = []
      for (let line = await child.next(); (line as { kind: string }).kind === 'stored'; line = await child.next()) seqs.push(line)
      return seqs
    }),
  )
  const store = await opened(folder)
  const all = [...store.log(ID).read()]
  expect(said.map((seqs) => seqs.length)).toEqual([160, 160])
  expect(all).toHaveLength(400)
  expect(all.slice(1).map(({ after }) => after)).toEqual(all.slice(0, -1).map(({ seq }) => seq))
  expect(store.ledger.snapshot(ID, Number.MAX_SAFE_INTEGER)).toEqual(foldAll(emptySession(ID), all))
})
