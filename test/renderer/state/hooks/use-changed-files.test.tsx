import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import { useSessionChanges } from '../../../../renderer/state/hooks/changes/use-changed-files.ts'
import type { SessionChanges } from '../../../../shared/api/changes/changes.ts'
import { emptySession } from '../../../../shared/session/fold/fold.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { openPage } from '../../support/open-page.tsx'

const changesOf = (...shown: readonly string[]): SessionChanges => ({
  files: shown.map((name) => ({ path: `/code/${name}`, shown: name, before: null, after: null, steps: [1], madeBy: [] })),
  subagents: [],
})

/** Shows the changes of a long session, of which only the last page is loaded, so that main lists its files. */
async function openChanges() {
  const { show, page } = openPage()
  const answers: PromiseWithResolvers<SessionChanges>[] = []
  const list = (): Promise<SessionChanges> => {
    const answer = Promise.withResolvers<SessionChanges>()
    answers.push(answer)
    return answer.promise
  }
  const connection = { state: createStore<{ readonly kind: string }>(() => ({ kind: 'open' })), client: { changes: { list } } }
  const store = createStore(() => ({ session: { ...emptySession(SESSION), firstItem: 5 } }))
  function Reader(): ReactNode {
    return (
      useSessionChanges(SESSION)
        .files?.map(({ shown }) => shown)
        .join() ?? 'loading'
    )
  }
  await show(
    <DeskContext value={{ connection, session: () => ({ store }) } as unknown as Desk}>
      <Reader />
    </DeskContext>,
  )
  return {
    answers,
    text: () => page.textContent,
    answer: (at: number, ...shown: readonly string[]) => act(async () => answers[at]?.resolve(changesOf(...shown))),
    loseConnection: () =>
      act(async () => {
        connection.state.setState({ kind: 'lost' })
        answers.at(-1)?.reject(new Error('The connection was lost.'))
      }),
    reconnect: () => act(async () => connection.state.setState({ kind: 'open' })),
  }
}

test('the changed files of a session are listed after a connection that was lost while they were read is restored', async () => {
  const changes = await openChanges()
  await changes.loseConnection()
  expect(changes.text()).toBe('loading')
  await changes.reconnect()
  await changes.answer(1, 'new.txt')
  expect(changes.text()).toBe('new.txt')
})

test('files that a subagent changed while the window was disconnected are listed after the connection is restored', async () => {
  const changes = await openChanges()
  await changes.answer(0, 'a.txt')
  await changes.loseConnection()
  expect(changes.text()).toBe('a.txt')
  await changes.reconnect()
  await changes.answer(1, 'a.txt', 'b.txt')
  expect(changes.text()).toBe('a.txt,b.txt')
})
