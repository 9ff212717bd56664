import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionId } from '../../shared/lib/ids.ts'
import { deskOver } from '../api/support/served-desk.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { opened } from '../store/support/stores.ts'
import { checkStore, repeatable } from './kill-rounds.ts'

const REQUESTS = 600
/** All times in the transcript are before this time, in ms since 1970. */
const NOW = 1.75e12

/** A transcript of Claude Code with a subagent that has a file of its own. */
async function transcript() {
  const at = await place([])
  const path = join(at.cwd, 'long.jsonl')
  writeFileSync(path, Array.from({ length: REQUESTS }, (_, n) => linesOf(n)).join(''))
  mkdirSync(join(at.cwd, 'long', 'subagents'), { recursive: true })
  writeFileSync(join(at.cwd, 'long', 'subagents', 'agent-a1.jsonl'), linesOf(REQUESTS))
  return { at, path }
}

function linesOf(n: number): string {
  const timestamp = new Date(1.7e12 + n * 1_000).toISOString()
  const line = (part: number, type: string, message: object): string => {
    const parentUuid = part === 0 ? (n === 0 || n === REQUESTS ? null : `u${n - 1}-1`) : `u${n}-0`
    return `${JSON.stringify({ type, uuid: `u${n}-${part}`, parentUuid, sessionId: 's', timestamp, cwd: '/w', message })}\n`
  }
  return [
    line(0, 'user', { role: 'user', content: `Question ${n} ${'x'.repeat(900)}` }),
    line(1, 'assistant', { id: `m${n}`, model: 'claude-sonnet-5-5', content: [{ type: 'text', text: `Answer ${n}` }] }),
  ].join('')
}

/** The events of each session, without the ids and times that differ from one import to the next. */
async function eventsIn(data: string) {
  const store = await opened(data)
  try {
    const ids = store.sessions.list().map(({ sessionId }) => sessionId)
    const events = ids.map((id) =>
      [...store.log(id).read()].map(({ at, event }) => ({ at: at < NOW ? at : NOW, event: withoutIds(event) })),
    )
    return { ids, events: events.toSorted((a, b) => a.length - b.length), begun: store.sessions.interruptedImports() }
  } finally {
    store.close()
  }
}

const withoutIds = (event: object): unknown =>
  JSON.parse(JSON.stringify(event, (key, value: unknown) => (key === 'sessionId' || key === 'inputId' ? '' : value)))

const count = (sessions: readonly (readonly unknown[])[]): number => sessions.flat().length

const importedId = (stdout: string): SessionId => (JSON.parse(stdout) as { readonly sessionId: SessionId }).sessionId

test('an import that is killed goes on at the next launch, with the same sessions and nothing twice', { timeout: 120_000 }, async () => {
  const { at, path } = await transcript()
  const { run, restore } = await repeatable(at, ['import', path])
  const { changes } = await run({})
  const whole = await eventsIn(at.data)
  expect(whole.events.map(({ length }) => length)).toEqual([expect.any(Number), expect.any(Number)])
  for (const share of [0.3, 0.6, 0.9]) {
    restore()
    await run({ KILL_AT: `${Math.floor(changes.length * share)}` })
    const half = await eventsIn(at.data)
    expect([share, half.begun.length, count(half.events) < count(whole.events)]).toEqual([share, 1, true])
    const next = await runAgent(['import', path], at)
    expect([share, next.code, next.stderr]).toEqual([share, 0, ''])
    expect([share, importedId(next.stdout)]).toEqual([share, half.begun[0]?.sessionIds[0]])
    const { ids, events } = await eventsIn(at.data)
    expect([share, ids.length, events]).toEqual([share, whole.ids.length, whole.events])
    await checkStore(at.data, { at: share, before: 'a change' })
  }
})

test('in an app with windows, the import goes on in the background, and importing the file again waits for it', async () => {
  const { at, path } = await transcript()
  const { run, restore } = await repeatable(at, ['import', path])
  const { changes } = await run({})
  const whole = await eventsIn(at.data)
  restore()
  await run({ KILL_AT: `${Math.floor(changes.length * 0.5)}` })
  const [begun] = (await eventsIn(at.data)).begun
  const desk = await deskOver({ data: at.data, folder: at.cwd, model: at.model })
  expect(await desk.client.transfer.import({ path })).toEqual({ ok: true, sessionId: begun?.sessionIds[0] })
  expect([await eventsIn(at.data), desk.bugs]).toMatchObject([
    { ids: whole.ids.map(() => expect.any(String) as string), events: whole.events },
    [],
  ])
})

test('an interrupted import of a file that has changed since is removed at the next launch', { timeout: 120_000 }, async () => {
  const { at, path } = await transcript()
  const { run, restore } = await repeatable(at, ['import', path])
  const { changes } = await run({})
  restore()
  await run({ KILL_AT: `${Math.floor(changes.length * 0.6)}` })
  appendFileSync(path, linesOf(REQUESTS + 1))
  const next = await runAgent(['search', 'Question'], at)
  expect([next.code, next.stderr]).toEqual([1, expect.stringContaining('Nothing was found.')])
  expect((await eventsIn(at.data)).ids).toEqual([])
})
