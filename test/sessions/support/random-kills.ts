import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { createTranscript } from '../../../main/agent/record/transcript.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import { call, calls, say, startScriptedModel } from '../../support/scripted-model.ts'
import { startSession } from './child.ts'
import { value } from './office.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/**
 * Longest time in ms from the start of a process until it is killed. A process needs about 300 ms to be ready, and a round takes some
 * milliseconds.
 */
const WITHIN_MS = 400

/**
 * Keeps one session working in a process that is killed at random moments and started again. What a process reported as stored must be
 * found afterwards, and the log must always be one that a model would accept.
 */
export async function killAtRandom(times: number): Promise<void> {
  const base = temporaryFolder('random-kills')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  await writeFile(join(folder, 'a.txt'), 'text\n')
  let round = 0
  const model = await startScriptedModel(() => {
    round++
    if (round % 7 === 0) return say('A pause.')
    return calls(
      call('read_file', { file_path: 'a.txt' }),
      call('shell', { command: `echo ${round} >> rounds.txt` }),
      call('write_file', { file_path: `new${round}.txt`, content: `${round}\n` }),
    )
  })
  onTestFinished(() => model.close())
  const options = { data: join(base, 'data'), folder, modelUrl: model.url, mode: 'full' }
  let sessionId: string | undefined
  for (let time = 0; time < times; time++) {
    const session = await startSession({ ...options, ...(sessionId === undefined ? {} : { sessionId }) })
    sessionId = session.sessionId
    session.tell(session.ready.ended === 'interrupted' ? { kind: 'resume' } : { kind: 'send', text: `again ${time}` })
    await sleep(Math.random() * WITHIN_MS)
    await session.kill()
    await checkLog(options.data, sessionId, session.events)
  }
}

async function checkLog(data: string, name: string, acknowledged: readonly DurableEvent[]): Promise<void> {
  const store = value(await openStore(data))
  try {
    const id = SessionId.parse(name)
    const stored = [...store.log(id).read()]
    const said = new Set(stored.map(({ event }) => JSON.stringify(event)))
    expect(acknowledged.filter((event) => !said.has(JSON.stringify(event)))).toEqual([])
    expect(store.ledger.snapshot(id, 1_000_000)?.items).toEqual(foldAll(emptySession(id), stored).items)
    checkPairs(stored)
  } finally {
    store.close()
  }
}

/**
 * Checks that every call that can have had an effect was recorded as started, that each call ends at most once, and that every closed
 * round is complete.
 */
function checkPairs(stored: readonly Envelope[]): void {
  const transcript = createTranscript()
  const ended = new Set<string>()
  const started = new Set<string>()
  for (const { event } of stored) {
    transcript.add(event)
    if (event.kind === 'TOOL_EXECUTION_START') {
      expect([event.toolCallId, started.has(event.toolCallId)]).toEqual([event.toolCallId, false])
      started.add(event.toolCallId)
    }
    if (event.kind !== 'TOOL_CALL_END') continue
    expect([event.toolCallId, ended.has(event.toolCallId)]).toEqual([event.toolCallId, false])
    ended.add(event.toolCallId)
  }
  const open = transcript.openRound()
  for (const [index, turn] of transcript.turns().entries()) {
    const calls = turn.kind === 'assistant' ? turn.content.flatMap((part) => (part.kind === 'tool_call' ? [part.toolCallId] : [])) : []
    const next = transcript.turns()[index + 1]
    if (calls.length > 0) expect(next?.kind === 'tool_results' && next.results.map(({ toolCallId }) => toolCallId)).toEqual(calls)
  }
  expect(open?.calls.every(({ toolCallId }) => open.isEnded(toolCallId)) ?? false).toBe(false)
}
