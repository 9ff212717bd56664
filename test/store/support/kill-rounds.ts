import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { openStore } from '../../../main/store/open-store.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { Envelope } from '../../../shared/session/events.ts'
import { startChild } from './child.ts'
import { session } from './stores.ts'

const ID = session('killed')

/**
 * Repeats: a process appends as fast as it can and is killed (-9) at a random moment, and the store is opened again. Nothing that the
 * process had acknowledged may be missing, no batch may be incomplete, and every blob that the log refers to must be complete.
 */
export async function killRounds(folder: string, rounds: number): Promise<void> {
  let acknowledged = 0
  for (let round = 0; round < rounds; round++) {
    const child = startChild('writer', [folder, ID])
    await child.next()
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 120))
    for (const line of await child.kill('SIGKILL')) acknowledged = Math.max(acknowledged, seqOf(line))
    await check(folder, acknowledged)
  }
  expect(acknowledged).toBeGreaterThan(rounds)
}

async function check(folder: string, acknowledged: number): Promise<void> {
  const opened = await openStore(folder)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  try {
    const all = [...store.log(ID).read()]
    expect(all.at(-1)?.seq ?? 0).toBeGreaterThanOrEqual(acknowledged)
    expect(all.slice(1).map(({ after }) => after)).toEqual(all.slice(0, -1).map(({ seq }) => seq))
    expect(store.ledger.snapshot(ID, Number.MAX_SAFE_INTEGER)).toEqual(all.length > 0 ? foldAll(emptySession(ID), all) : null)
    expect(store.health()).toEqual({ trouble: null, onDisk: all.length > 0 ? 1 : 0, listed: all.length > 0 ? 1 : 0 })
    for (const hash of blobsOf(all)) expect(store.blobs.get(hash).length).toBeGreaterThan(0)
    expect(wholeBatches(all)).toBe(true)
    expect([...store.claims.running()]).toEqual([])
  } finally {
    store.close()
  }
  const db = new Database(join(folder, 'countersign.db'), { readonly: true })
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
}

const seqOf = (line: unknown): number => (line as { readonly seq?: number } | null)?.seq ?? 0

const blobsOf = (all: readonly Envelope[]) =>
  all.flatMap(({ event }) => (event.kind === 'TOOL_CALL_END' && event.outputBlob ? [event.outputBlob.hash] : []))

/** Whether the end of every call is followed by the end of its turn. Both were appended in one batch. */
const wholeBatches = (all: readonly Envelope[]): boolean =>
  all.every(({ event }, index) => event.kind !== 'TOOL_CALL_END' || all[index + 1]?.event.kind === 'PROCESSING_END')
