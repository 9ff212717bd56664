import { tokensOf } from '../../../shared/session/content.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import { ToolCallId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { needOfCalls } from '../../../shared/session/fold/session-need.ts'
import { randomBatches } from '../support/random-session.ts'
import { callStart, CONFIG, input, opened, openedInMemory, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ID = session('s')

function summaryByFold(state: SessionState): SessionSummary {
  return {
    sessionId: state.sessionId,
    title: state.title,
    folder: state.cwd,
    config: state.config,
    parent: state.parent,
    run: state.run,
    ended: state.ended,
    turnEnd: state.turnEnd?.seq ?? 0,
    asks: state.turnEnd?.asks ?? false,
    failedCommand: state.failedCommand,
    need: needOfCalls(pendingCalls(state)),
    steps: state.steps,
    spent: state.parent && { tokens: tokensOf(state.usage), costUsd: state.costUsd, answers: state.answers },
    startedAt: state.startedAt,
    updatedAt: state.updatedAt,
    cursor: state.cursor,
    running: false,
  }
}

describe('the row of a session and the fold of its log', () => {
  it('are equal after every append', async () => {
    await fc.assert(
      fc.asyncProperty(randomBatches(ID), async (batches) => {
        const store = await openedInMemory()
        let state = emptySession(ID)
        for (const batch of batches) {
          state = foldAll(state, store.log(ID).append(...batch))
          expect(store.sessions.get(ID)).toEqual(summaryByFold(state))
        }
        store.close()
      }),
      { numRuns: 150 },
    )
  })

  it('are equal when two opened stores append alternately', async () => {
    const folder = tempFolder()
    await fc.assert(
      fc.asyncProperty(fc.uuid(), async (name) => {
        const id = session(name)
        const [batches] = fc.sample(randomBatches(id), 1)
        const both = [await opened(folder), await opened(folder)] as const
        let state = emptySession(id)
        for (const [index, batch] of (batches ?? []).entries()) {
          const store = index % 2 ? both[0] : both[1]
          state = foldAll(state, store.log(id).append(...batch))
          expect(store.sessions.get(id)).toEqual(summaryByFold(state))
        }
        expect(both[0].ledger.snapshot(id, Number.MAX_SAFE_INTEGER)).toEqual(state)
        both.forEach((store) => store.close())
      }),
      { numRuns: 20 },
    )
  })

  it('are equal again after the row is lost, corrupted, or written by another version of the fold', async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    const batches = fc.sample(randomBatches(ID), { numRuns: 1, seed: 7 })[0] ?? []
    for (const batch of batches) store.log(ID).append(...batch)
    const before = { list: store.sessions.list(), snapshot: store.ledger.snapshot(ID, 1000) }
    store.close()
    for (const harm of [
      'DELETE FROM sessions',
      `UPDATE sessions SET cursor = 1, title = 'wrong'`,
      `UPDATE sessions SET version = 0, steps = 99`,
    ]) {
      const { default: Database } = await import('better-sqlite3')
      const db = new Database(`${folder}/countersign.db`)
      db.exec(harm)
      db.exec('UPDATE events SET item = NULL, step = 0')
      db.close()
      const again = await opened(folder)
      again.sessions.list()
      again.log(ID)
      expect({ list: again.sessions.list(), snapshot: again.ledger.snapshot(ID, 1000) }).toEqual(before)
      expect(again.health()).toEqual({ trouble: null, onDisk: 1, listed: 1 })
      again.close()
    }
  })
})

describe('a page of the ledger', () => {
  it('equals that part of the fold of the whole log, for every page of every size', async () => {
    await fc.assert(
      fc.asyncProperty(randomBatches(ID), fc.integer({ min: 1, max: 6 }), async (batches, limit) => {
        const store = await openedInMemory()
        for (const batch of batches) store.log(ID).append(...batch)
        const { items } = foldAll(emptySession(ID), store.log(ID).read())
        for (let before = 0; before <= items.length + 1; before++) {
          const to = Math.min(before, items.length)
          const firstItem = Math.max(0, to - limit)
          expect(store.ledger.page(ID, before, limit)).toEqual({ firstItem, items: items.slice(firstItem, to) })
        }
        store.close()
      }),
      { numRuns: 100 },
    )
  })

  it('folded with all later events, equals the fold of the whole log from the page’s first entry on', async () => {
    await fc.assert(
      fc.asyncProperty(randomBatches(ID), randomBatches(ID), fc.integer({ min: 1, max: 10 }), async (batches, more, limit) => {
        const store = await openedInMemory()
        const log = store.log(ID)
        for (const batch of batches) log.append(...batch)
        const snapshot = store.ledger.snapshot(ID, limit)
        if (!snapshot) throw new Error('no snapshot')
        for (const batch of more) log.append(...batch)
        const whole = foldAll(emptySession(ID), log.read())
        const followed = foldAll(snapshot, [...store.eventsAfter(ID, snapshot.cursor)].flat())
        const kept = { ...whole, firstItem: snapshot.firstItem, items: whole.items.slice(snapshot.firstItem) }
        expect(followed).toEqual(kept)
        store.close()
      }),
      { numRuns: 100 },
    )
  })

  it('reaches back to the oldest call that is still open', async () => {
    const store = await openedInMemory()
    const log = store.log(ID)
    log.append({ kind: 'TOOL_CALL_START', toolCallId: 'open' as never, toolName: 'shell', args: null })
    for (let n = 0; n < 30; n++) log.append({ kind: 'USER_INPUT', inputId: `${n}`, text: `${n}`, delivery: 'prompt' })
    const snapshot = store.ledger.snapshot(ID, 5)
    expect(snapshot?.firstItem).toBe(0)
    expect(snapshot?.items).toHaveLength(31)
  })

  it('does not show a copy as running after the turn was interrupted', async () => {
    const store = await openedInMemory()
    const CALL = ToolCallId.parse('call')
    store.sessions.create({ sessionId: ID, cwd: '/w', ...CONFIG })
    const log = store.log(ID)
    log.append(input('go'), callStart(CALL), { kind: 'COPY_STARTED', toolCallId: CALL, effects: [] })
    expect(store.ledger.call(ID, CALL)).toMatchObject({ status: 'running', copy: { outcome: null } })
    log.append({ kind: 'PROCESSING_END', reason: 'interrupted' })
    const whole = foldAll(emptySession(ID), log.read())
    expect(store.ledger.snapshot(ID, 10)).toEqual(whole)
    expect([store.ledger.call(ID, CALL), store.ledger.page(ID, 9, 10).items]).toEqual([whole.items.at(-1), whole.items])
    expect(store.ledger.call(ID, CALL)?.copy).toBe(undefined)
    store.close()
  })

  it('is empty for a session that does not exist, and the snapshot is null', async () => {
    const store = await openedInMemory()
    expect(store.ledger.snapshot(ID, 10)).toBeNull()
    expect(store.ledger.page(ID, 10, 10)).toEqual({ firstItem: 0, items: [] })
  })
})
