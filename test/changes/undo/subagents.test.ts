import { expect, onTestFinished, test } from 'vitest'
import { hashOf } from '../../../main/agent/blob-hash.ts'
import { readChanges } from '../../../main/changes/undo/read-changes.ts'
import { changesHandlers } from '../../../main/api/changes.ts'
import type { UndoTarget } from '../../../shared/session/rollback.ts'
import { jsonExport } from '../../../main/transfer/export/json-export.ts'
import { countersignLines } from '../../../main/transfer/import/countersign-lines.ts'
import { importSession } from '../../../main/transfer/import/import-session.ts'
import { openedInMemory } from '../../store/support/stores.ts'
import { createUndoWorld } from '../support/undo-world.ts'

const redactor = { text: (text: string) => text }
const PATHS = ['a', 'b', 'new', 'new/deep']
const SUBAGENT = { by: 'tool', subagent: true } as const
const OWN = { by: 'tool', subagent: false } as const

/** Records step 1 of the session, then step 2 by a subagent that writes in the folder itself, then step 3. */
async function worked() {
  const store = await openedInMemory()
  const sessionId = store.sessions.create({
    cwd: '/w',
    provider: 'anthropic',
    model: 'm',
    mode: 'full',
    effort: null,
    baseUrl: null,
  })
  const world = createUndoWorld(store, sessionId, PATHS)
  onTestFinished(() => world.remove())
  world.edit('a', 'first\n')
  await world.step({ b: 'own\n' }, OWN)
  await world.step({ a: 'subagent\n', 'new/deep': 'deep\n' }, SUBAGENT)
  await world.step({ b: 'later\n' }, OWN)
  const undo = async (target: UndoTarget) => {
    const { plan } = await world.undo().preview(target)
    return world.undo().run(world.record(), { target, plan, anyway: [], choices: [] })
  }
  return { store, sessionId, world, undo }
}

test('a subagent’s changes are undone and redone with the step that started it', async () => {
  const { world, undo } = await worked()
  const done = await undo({ kind: 'step', step: 2 })
  expect(done.kind).toBe('done')
  expect(world.disk()).toEqual({ a: 'first\n', b: 'later\n', new: null, 'new/deep': null })
  const rollbackId = world.record().state().rollbacks.at(-1)?.rollbackId ?? ''
  await undo({ kind: 'rollback', rollbackId })
  expect(world.disk()).toMatchObject({ a: 'subagent\n', 'new/deep': 'deep\n' })
  await undo({ kind: 'to', step: 1 })
  expect(world.disk()).toEqual({ a: 'first\n', b: 'own\n', new: null, 'new/deep': null })
})

test('an undo in a fork includes the changes of subagents before the fork, and none after it', async () => {
  const { store, sessionId, world } = await worked()
  const first = await store.sessions.fork(sessionId, world.record().state().cursor)
  const fork = await store.sessions.fork(first, store.sessions.get(first)?.cursor ?? 0)
  await world.step({ a: 'later subagent\n' }, SUBAGENT)
  const changes = await readChanges(store, fork)
  const found = changes.map(({ step, agentType, files }) => [step, agentType, files.map(({ shown }) => shown)])
  expect(found).toEqual([
    [1, null, ['b']],
    [2, 'code', ['a', 'new/deep']],
    [3, null, ['b']],
  ])
})

test('in an imported session, the changes of subagents come before the later steps of their parent', async () => {
  const { store, sessionId, world } = await worked()
  await world.step({ a: 'own\n' }, OWN)
  const reader = countersignLines()
  for await (const line of jsonExport({ store, redactor, now: 0 }, sessionId)) reader.add(JSON.parse(line), line)
  const transcript = reader.end()
  if (!transcript) throw new Error('The export holds no session.')
  const imported = await importSession(transcript, { store, redactor })
  const changes = await readChanges(store, imported)
  expect(changes.map(({ step, agentType }) => [step, agentType])).toEqual([
    [1, null],
    [2, 'code'],
    [3, null],
    [4, null],
  ])
})

test('an undo marks restored contents as signed before it writes them', async () => {
  const { world } = await worked()
  const signed: unknown[] = []
  const undo = world.undo((files) => signed.push([files, world.disk()['a']]))
  const target = { kind: 'step', step: 2 } as const
  const { plan } = await undo.preview(target)
  await undo.run(world.record(), { target, plan, anyway: [], choices: [] })
  const first = { path: expect.stringMatching(/\/a$/), hash: hashOf(Buffer.from('first\n')) }
  expect(signed).toEqual([[[first], 'subagent\n']])
})

test('the list of changed files includes the changes of subagents, with each subagent’s type, but no undone changes', async () => {
  const { store, sessionId, world, undo } = await worked()
  const sessions = { open: () => Promise.reject(new Error('No session is needed.')) }
  const { list } = changesHandlers({ store, sessions })
  const listed = async () => {
    const { files } = await list({ sessionId }, { connection: 'window', signal: new AbortController().signal })
    return files.map(({ shown, steps, agents = [] }) => [shown, steps, agents])
  }
  const { subagents } = await list({ sessionId }, { connection: 'window', signal: new AbortController().signal })
  expect(subagents).toMatchObject([{ step: 2, agentType: 'code', files: [{ shown: 'a' }, { shown: 'new/deep' }], before: 'call-3' }])
  expect(await listed()).toEqual([
    ['a', [2], ['code']],
    ['b', [1, 3], []],
    ['new/deep', [2], ['code']],
  ])
  await undo({ kind: 'step', step: 2 })
  expect(world.disk()).toMatchObject({ a: 'first\n' })
  expect((await listed()).map(([shown]) => shown)).toEqual(['b'])
})
