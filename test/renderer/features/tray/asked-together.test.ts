import { describe, expect, test } from 'vitest'
import { askedTogether } from '../../../../renderer/features/tray/tray.tsx'
import { emptySession, foldAll } from '../../../../shared/session/fold/fold.ts'
import { pendingCalls } from '../../../../shared/session/fold/run-state.ts'
import type { DurableEvent } from '../../../../shared/session/events.ts'
import { answered, begun, ended, executing, requested, SESSION, stamped, started } from '../../../agent/support/events.ts'

const SIGNED = { kind: 'signed' } as const
const round = (...ids: readonly string[]): readonly DurableEvent[] => [
  ...ids.map((id) => begun(id, 'shell')),
  ...ids.map((id) => requested(id, `ap-${id}`)),
]
const sign = (id: string): readonly DurableEvent[] => [answered(id, `ap-${id}`, SIGNED), executing(id), ended(id)]

function together(...events: readonly DurableEvent[]) {
  const state = foldAll(emptySession(SESSION), stamped([started(), ...events]))
  const pending = pendingCalls(state)
  return {
    waiting: pending.map((call) => call.toolCallId),
    together: askedTogether(state.items, pending).map((call) => call.toolCallId),
  }
}

describe('requests of one round', () => {
  test('include all waiting requests, in ledger order', () => {
    expect(together(...round('a', 'b', 'c'))).toEqual({ waiting: ['a', 'b', 'c'], together: ['a', 'b', 'c'] })
  })

  test('keep their numbers while others of the round are answered, in any order', () => {
    expect(together(...round('a', 'b', 'c'), ...sign('a'))).toEqual({ waiting: ['b', 'c'], together: ['a', 'b', 'c'] })
    expect(together(...round('a', 'b', 'c'), ...sign('b'))).toEqual({ waiting: ['a', 'c'], together: ['a', 'b', 'c'] })
  })

  test('do not include answered requests of the previous round', () => {
    expect(together(...round('a', 'b'), ...sign('a'), ...sign('b'), ...round('c'))).toEqual({ waiting: ['c'], together: ['c'] })
  })

  test('are an empty list when no call waits', () => {
    expect(together(...round('a'), ...sign('a'))).toEqual({ waiting: [], together: [] })
  })
})
