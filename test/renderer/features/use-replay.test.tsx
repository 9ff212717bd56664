import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import { type Player, useReplay } from '../../../renderer/features/replay/use-replay.ts'
import type { Desk } from '../../../renderer/state/desk.ts'
import { DeskContext } from '../../../renderer/state/desk-context.ts'
import { SESSION } from '../../agent/support/events.ts'
import { openPage } from '../support/open-page.tsx'

test('a replay stays at its moment when a lost connection has been restored, and another hit moves it', async () => {
  const { show } = openPage()
  const state = createStore<{ readonly kind: string }>(() => ({ kind: 'open' }))
  const outline = async () => ({ ok: true, value: { stops: [1, 2, 3, 4].map((seq) => ({ seq, at: seq })) } })
  const moment = async () => ({ ok: true, value: { state: null, files: [] } })
  const desk = { connection: { state, client: { replay: { outline, moment } } } } as unknown as Desk
  let player: Player | undefined
  function Reader({ from }: { readonly from: number }): ReactNode {
    player = useReplay(SESSION, from)
    return null
  }
  const replay = (from: number) =>
    show(
      <DeskContext value={desk}>
        <Reader from={from} />
      </DeskContext>,
    )
  await replay(2)
  expect(player?.at).toBe(1)
  await act(async () => player?.go(3))
  for (const kind of ['lost', 'open']) await act(async () => state.setState({ kind }))
  expect(player?.at).toBe(3)
  await replay(1)
  expect(player?.at).toBe(0)
})
