import { act, type ReactNode } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { DeskContext } from '../../../renderer/state/desk-context.ts'
import type { Desk } from '../../../renderer/state/desk.ts'
import { Connection } from '../../../renderer/state/stores/connection.ts'
import { useAnswer } from '../../../renderer/state/use-answer.ts'
import { openPage } from '../support/open-page.tsx'
import { otherSide, when } from './support/other-side.ts'

type Answer = { readonly folders: readonly string[]; readonly exists: boolean }

/** A component that asks main how a path could go on. The test gives the answers. It shows its value and the last answer. */
async function openReader({ away = false }: { readonly away?: boolean } = {}) {
  const { show, page } = openPage()
  const asked: { readonly typed: string; readonly answer: PromiseWithResolvers<Answer> }[] = []
  const replies: Promise<Answer>[] = []
  const side = otherSide({
    workspace: {
      complete({ typed }) {
        const answer = Promise.withResolvers<Answer>()
        asked.push({ typed, answer })
        return answer.promise
      },
    },
  })
  side.away = away
  const connection = new Connection(side.open)
  onTestFinished(() => connection.dispose())
  const replyTo = (reply: Promise<Answer>): Promise<Answer> => {
    replies.push(reply)
    return reply
  }
  function Reader({ typed }: { readonly typed: string | null }): ReactNode {
    const { value, last } = useAnswer(typed, typed === null ? null : (client) => replyTo(client.workspace.complete({ typed })))
    return `${value?.folders.join()} ${last?.folders.join()}`
  }
  const type = (typed: string | null) =>
    show(
      <DeskContext value={{ connection } as unknown as Desk}>
        <Reader typed={typed} />
      </DeskContext>,
    )
  const is = (wanted: 'open' | 'lost') => when(connection.state, ({ kind }) => kind === wanted)
  const open = async () => {
    side.away = false
    connection.retry()
    await is('open')
  }
  return {
    type,
    shown: () => page.textContent,
    asked: () => asked.map(({ typed }) => typed),
    /** Resolves when main has been asked this many times. */
    isAsked: (times: number) => act(() => expect.poll(() => asked.length).toBe(times)),
    answer: (at: number, ...folders: readonly string[]) =>
      act(async () => {
        asked[at]?.answer.resolve({ folders, exists: false })
        await replies[at]
      }),
    connect: () => act(async () => void (await is('open'))),
    lose: () =>
      act(async () => {
        side.breakWire()
        await is('lost')
      }),
    isLost: () => act(async () => void (await is('lost'))),
    reconnect: () => act(open),
  }
}

test('nothing is asked before there is a connection', async () => {
  const reader = await openReader({ away: true })
  await reader.isLost()
  await reader.type('/a')
  expect(reader.asked()).toEqual([])
  await reader.reconnect()
  await reader.isAsked(1)
  await reader.answer(0, '/ab')
  expect(reader.shown()).toBe('/ab /ab')
})

test('a question that was lost with the connection is asked again after it', async () => {
  const reader = await openReader()
  await reader.connect()
  await reader.type('/a')
  await reader.isAsked(1)
  await reader.lose()
  expect(reader.shown()).toBe('undefined undefined')
  await reader.reconnect()
  await reader.isAsked(2)
  await reader.answer(1, '/ab')
  expect(reader.shown()).toBe('/ab /ab')
})

test('an answer stays while the connection is lost, and is asked for again after it', async () => {
  const reader = await openReader()
  await reader.connect()
  await reader.type('/a')
  await reader.isAsked(1)
  await reader.answer(0, '/ab')
  await reader.lose()
  expect(reader.shown()).toBe('/ab /ab')
  await reader.reconnect()
  expect(reader.shown()).toBe('/ab /ab')
  await reader.isAsked(2)
  await reader.answer(1, '/new')
  expect(reader.shown()).toBe('/new /new')
})

test('a question that changed while the connection was lost is asked once, as it is now', async () => {
  const reader = await openReader()
  await reader.connect()
  await reader.type('/a')
  await reader.isAsked(1)
  await reader.answer(0, '/ab')
  await reader.lose()
  await reader.type('/b')
  await reader.type('/c')
  expect(reader.shown()).toBe('undefined /ab')
  await reader.reconnect()
  await reader.isAsked(2)
  await reader.answer(1, '/cd')
  expect([reader.asked(), reader.shown()]).toEqual([['/a', '/c'], '/cd /cd'])
})
