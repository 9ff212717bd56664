import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../main/store/store.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { changedFiles, createChangedFiles } from '../../shared/session/fold/changed-files.ts'
import { startChild } from './support/child.ts'
import { randomBatches } from './support/random-session.ts'
import { input, opened, session } from './support/stores.ts'
import { tempFolder } from './support/temp-folder.ts'
import { toVersionTwo } from './support/version-two.ts'

const ID = session('s')

/** Checks the derived tables against the fold of the entire log, and returns what the store reads from them. */
function answers(store: Store): unknown {
  const state = foldAll(emptySession(ID), store.log(ID).read())
  const changes = createChangedFiles()
  for (const { step, event } of store.ledger.changes(ID, 0, 10_000))
    if (event.kind !== 'TOOL_EXECUTION_START') changes.add({ step, ...event })
  const calls = new Map(state.items.flatMap((item) => (item.kind === 'call' ? [[item.toolCallId, item]] : [])))
  expect(changes.files()).toEqual(changedFiles(state.items))
  for (const [id, item] of calls) expect(store.ledger.call(ID, id)?.id).toBe(item.id)
  return {
    files: changes.files(),
    calls: [...calls.keys()].map((id) => store.ledger.call(ID, id)),
    snapshot: store.ledger.snapshot(ID, 1000),
  }
}

/** Returns the log without the long texts of results, as `slimTo` gives it. */
const slim = (store: Store) => [...store.log(ID).read({ slimTo: Number.MAX_SAFE_INTEGER })]

describe('data derived from a log', () => {
  it('matches the fold of the full log, both during writing and after a rebuild of an older version’s folder', async () => {
    await fc.assert(
      fc.asyncProperty(randomBatches(ID), async (batches) => {
        const folder = tempFolder()
        const store = await opened(folder)
        for (const batch of batches) store.log(ID).append(...batch)
        const before = answers(store)
        const slimBefore = slim(store)
        store.close()
        toVersionTwo(`${folder}/countersign.db`)
        const again = await opened(folder)
        await again.prepare(ID)
        expect(answers(again)).toEqual(before)
        expect(slim(again)).toEqual(slimBefore)
        again.close()
      }),
      { numRuns: 15 },
    )
  })

  it('includes a slim log, which is the log without the long texts of results', async () => {
    const store = await opened(tempFolder())
    const id = 'call' as never
    const rest = { outputBlob: null, isError: false, outcome: 'done', durationMs: 1, details: { exitCode: 0 } } as const
    const saw = [{ path: '/w/f', hash: 'a'.repeat(64) as never }]
    const end = { kind: 'TOOL_CALL_END', toolCallId: id, toolName: 'shell', ...rest, saw } as const
    const picture = [{ kind: 'image', mediaType: 'image/png', data: 'x'.repeat(5_000) }] as const
    store.log(ID).append({ kind: 'TOOL_CALL_START', toolCallId: id, toolName: 'shell', args: {} })
    const [long] = store.log(ID).append({ ...end, output: 'x'.repeat(5_000), modelText: 'y'.repeat(5_000) })
    store.log(ID).append({ ...end, output: 'short', modelText: null }, { ...end, output: '', modelText: picture })
    const [, first, ...others] = [...store.log(ID).read({ slimTo: Number.MAX_SAFE_INTEGER })]
    expect(first).toEqual({ ...long, event: { ...end, output: '', modelText: null, details: null } })
    expect(others).toEqual([...store.log(ID).read()].slice(2))
    expect([...store.log(ID).read({ slimTo: (long?.seq ?? 0) - 1 })]).toEqual([...store.log(ID).read()])
  })

  it('is rebuilt in pieces, so that other processes can write in between', { timeout: 60_000 }, async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    for (let n = 0; n < 40; n++) store.log(ID).append(input(`${n} ${'x'.repeat(300_000)}`))
    store.close()
    toVersionTwo(`${folder}/countersign.db`)
    const mine = await opened(folder)
    const other = await opened(folder)
    let turns = 0
    const turning = setInterval(() => turns++, 0)
    const preparing = mine.prepare(ID)
    other.sessions.mark(ID, 'seen_to', '1')
    await preparing
    clearInterval(turning)
    expect(turns).toBeGreaterThan(5)
    answers(mine)
  })

  it('a rebuild that was killed starts again when the session is prepared the next time', { timeout: 120_000 }, async () => {
    for (let round = 0; round < 5; round++) {
      const folder = tempFolder()
      const store = await opened(folder)
      for (const batch of fc.sample(randomBatches(ID), { numRuns: 1, seed: round + 1 })[0] ?? []) store.log(ID).append(...batch)
      for (let n = 0; n < 60; n++) store.log(ID).append(input(`${n} ${'x'.repeat(100_000)}`))
      store.close()
      toVersionTwo(`${folder}/countersign.db`)
      const child = startChild('preparer', [folder, ID])
      await child.next()
      await new Promise((resolve) => setTimeout(resolve, round * 15))
      await child.kill('SIGKILL')
      const again = await opened(folder)
      await again.prepare(ID)
      answers(again)
      again.close()
      const db = new Database(`${folder}/countersign.db`, { readonly: true })
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      db.close()
    }
  })
})
