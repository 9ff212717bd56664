import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ScriptedMessage, ScriptedRequest } from '../../main/providers/rehearsal/scripted-answer.ts'
import { call, calls, gate, say, startScriptedModel, text } from '../support/scripted-model.ts'
import { openStore } from '../../main/store/open-store.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { appears } from './support/appears.ts'
import { startSession } from './support/child.ts'
import { value } from './support/office.ts'
import { killAtRandom } from './support/random-kills.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROUNDS = 10

/**
 * Answers for a session of ten rounds, derived from the conversation alone: reads, edits of files that were read, new files, searches,
 * and several calls at once.
 */
function script(round: number): ScriptedMessage {
  if (round >= ROUNDS) return say('All done.')
  const file = `file${round % 3}.txt`
  const kinds = [
    calls(call('read_file', { file_path: file }), call('read_file', { file_path: 'missing.txt' })),
    calls(call('write_file', { file_path: `new${round}.txt`, content: `round ${round}\n` })),
    calls(
      call('read_file', { file_path: 'file2.txt' }),
      call('edit_file', { file_path: 'file2.txt', old_string: 'two', new_string: 'two!' }),
    ),
    calls(call('grep', { pattern: 'line' }), call('glob', { pattern: '*.txt' }), call('fly', {}), call('read_file', '{"file_path"')),
  ]
  const answer = kinds[round % kinds.length] ?? say('')
  return { ...answer, blocks: [text(`Round ${round}.`), ...answer.blocks] }
}
const roundOf = ({ body }: ScriptedRequest): number => body.messages.filter(({ role }) => role === 'assistant').length
const bodyOf = ({ bytes }: ScriptedRequest): string => Buffer.from(bytes).toString()

async function freshFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const n of [0, 1, 2]) {
    await writeFile(join(folder, `file${n}.txt`), `line one\nline two of ${n}\n`)
    // Lists show the newest file first. Fixed times make the order independent of the millisecond in which a file was written.
    await utimes(join(folder, `file${n}.txt`), 1_700_000_000 + n, 1_700_000_000 + n)
  }
}

async function runToTheEnd(data: string, folder: string): Promise<readonly string[]> {
  const model = await startScriptedModel((request) => script(roundOf(request)))
  onTestFinished(() => model.close())
  const session = await startSession({ data, folder, modelUrl: model.url, mode: 'accept-edits' })
  session.tell({ kind: 'send', text: 'Begin' })
  await session.event('PROCESSING_END')
  await session.quit()
  return model.requests.map(bodyOf)
}

describe('kill -9 and resume', () => {
  test('in any of ten rounds: the next request is, byte for byte, the same as in a run without a kill', { timeout: 120_000 }, async () => {
    const base = temporaryFolder('kill')
    const folder = join(base, 'workspace')
    await freshFolder(folder)
    const whole = await runToTheEnd(join(base, 'data-whole'), folder)
    expect(whole.length).toBe(ROUNDS + 1)

    await freshFolder(folder)
    // The first request of each round gets no answer, and its process is killed while it waits. The same request gets an answer the
    // second time.
    const asked = new Map<number, string[]>()
    const arrived = Array.from({ length: ROUNDS + 1 }, () => gate())
    const never = gate()
    const model = await startScriptedModel(async (request) => {
      const round = roundOf(request)
      const bodies = [...(asked.get(round) ?? []), bodyOf(request)]
      asked.set(round, bodies)
      if (bodies.length === 1) {
        arrived[round]?.open()
        await never.opened
      }
      return script(round)
    })
    onTestFinished(async () => {
      never.open()
      await model.close()
    })
    const options = { data: join(base, 'data-killed'), folder, modelUrl: model.url, mode: 'accept-edits' }
    let session = await startSession(options)
    session.tell({ kind: 'send', text: 'Begin' })
    for (let round = 0; round <= ROUNDS; round++) {
      await arrived[round]?.opened
      await session.kill()
      session = await startSession({ ...options, sessionId: session.sessionId })
      expect([session.ready.run, session.ready.ended]).toEqual(['IDLE', 'interrupted'])
      session.tell({ kind: 'resume' })
    }
    await session.event('PROCESSING_END')
    await session.quit()
    for (const [round, body] of whole.entries()) expect(asked.get(round)).toEqual([body, body])
  })

  test('while a command runs: the command is marked as interrupted with an unknown outcome and never runs again', async () => {
    const base = temporaryFolder('kill')
    const folder = join(base, 'workspace')
    await freshFolder(folder)
    const command = 'echo ran >> count.txt; echo half done; sleep 30'
    const model = await startScriptedModel((request) =>
      roundOf(request) === 0 ? calls(call('shell', { command, timeout_ms: 60_000 })) : say('I see.'),
    )
    onTestFinished(() => model.close())
    const options = { data: join(base, 'data'), folder, modelUrl: model.url, mode: 'full' }
    const first = await startSession(options)
    first.tell({ kind: 'send', text: 'Begin' })
    const trace = await appears(join(options.data, 'running'), (text) => text.includes('half done'))
    await first.kill()
    const second = await startSession({ ...options, sessionId: first.sessionId })
    expect([second.ready.run, second.ready.ended]).toEqual(['IDLE', 'interrupted'])
    second.tell({ kind: 'resume' })
    await second.event('PROCESSING_END')
    expect(JSON.stringify(model.requests.at(-1)?.body.messages.at(-1))).toMatch(
      /Interrupted: Countersign ended while this ran; the outcome is unknown\.\\nThe last lines of its output:\\nhalf done/,
    )
    // The command's output is kept, and so is the time for which it is known to have run.
    const store = value(await openStore(options.data))
    const items = store.ledger.snapshot(SessionId.parse(second.sessionId), 100)?.items ?? []
    store.close()
    const ran = items.find((item): item is CallItem => item.kind === 'call')
    const { atMs } = JSON.parse(trace) as { readonly atMs: number }
    expect([ran?.status, ran?.output]).toEqual(['interrupted', 'half done'])
    expect(ran?.durationMs).toBeGreaterThanOrEqual(atMs - (ran?.startedAt ?? 0))
    expect(await readdir(join(options.data, 'running'))).toEqual([])
    expect(await readFile(join(folder, 'count.txt'), 'utf8')).toBe('ran\n')
    await second.quit()
  })

  test(
    'at 8 random moments: nothing acknowledged is lost, every call has an end, and the session continues (fault 53)',
    { timeout: 60_000 },
    () => killAtRandom(8),
  )
})
