import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../main/store/open-store.ts'
import type { Store } from '../../main/store/store.ts'
import { type BlobHash, SessionId, type ToolCallId } from '../../shared/lib/ids.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { inFolder } from './bench-app.ts'
import type { Figure } from './figures.ts'

const SESSIONS = 550
const EVENTS = 195_000
const LARGE_SESSION = 160_000

/**
 * Measures storage alone, on a real disk. Each figure is the median (and the 99th percentile) of single calls that are timed one by one in
 * this process. The large store is written first, then closed and reopened, so that SQLite's cache is cold. The disk's cache is still warm.
 */
export async function benchStore(): Promise<readonly Figure[]> {
  return inFolder(async (folder) => [...(await appends(join(folder, 'appends'))), ...(await large(join(folder, 'large')))])
}

async function open(path: string): Promise<Store> {
  const result = await openStore(path)
  if (!result.ok) throw new Error(result.failure.what)
  return result.value
}

async function appends(path: string): Promise<readonly Figure[]> {
  const { figures, print } = rows()
  const store = await open(path)
  const log = store.log(SessionId.parse('appends'))
  print('append one event of 600 bytes', 3_000, (n) => log.append(input(n, 500)))
  const hash = 'a'.repeat(64) as BlobHash
  print('append one event of 200 bytes', 3_000, (n) =>
    log.append({ kind: 'REQUEST_CONTEXT', system: { hash, bytes: n }, tools: { hash, bytes: n } }),
  )
  const round = await open(`${path}-round`)
  const rounds = round.log(SessionId.parse('rounds'))
  const call = (n: number): ToolCallId => `call-${n}` as ToolCallId
  print('a complete read round: one append for turn, usage and start, and one for the end', 2_000, (n) => {
    rounds.append(turn(), { kind: 'USAGE', turn: NO_USAGE, total: NO_USAGE, costUsd: null }, start(call(n)))
    rounds.append(end(call(n), 2_000))
  })
  print('a complete signed round: five appends', 1_000, (n) => {
    const id = `signed-${n}` as ToolCallId
    const approval = { approvalId: `a-${n}` as never, toolCallId: id }
    rounds.append(turn(), { kind: 'USAGE', turn: NO_USAGE, total: NO_USAGE, costUsd: null }, start(id))
    rounds.append({ kind: 'APPROVAL_REQUESTED', ...approval, toolName: 'shell', effects: [], hash: 'h', reason: 'r', destructive: false })
    rounds.append({ kind: 'APPROVAL_ANSWERED', ...approval, answer: { kind: 'signed' } })
    rounds.append({ kind: 'TOOL_EXECUTION_START', toolCallId: id, signedBy: { kind: 'person' }, effects: [] })
    rounds.append(end(id, 2_000))
  })
  for (const bytes of [4_000, 100_000]) print(`blob of ${bytes} bytes`, 300, () => store.blobs.put(randomBytes(bytes)))
  store.close()
  round.close()
  return figures
}

async function large(path: string): Promise<readonly Figure[]> {
  const { figures, print, say } = rows()
  const store = await open(path)
  const started = performance.now()
  for (let index = 0; index < SESSIONS; index++) {
    const log = store.log(SessionId.parse(`session-${index}`))
    const events = index === 0 ? LARGE_SESSION : Math.ceil((EVENTS - LARGE_SESSION) / (SESSIONS - 1))
    for (let n = 0; n < events; n += 100) {
      const [first = input(0, 100), ...rest] = Array.from({ length: 100 }, (_, k) => events4(n + k, index === 0 ? 200 : 3_000))
      log.append(first, ...rest)
    }
  }
  say(`write ${SESSIONS} sessions with about ${EVENTS} events`, performance.now() - started)
  store.close()
  say('size of the database file', statSync(join(path, 'countersign.db')).size / 1e6, 'MB')

  const opening = performance.now()
  const again = await open(path)
  const open1 = performance.now() - opening
  const list = again.sessions.list()
  say(`first open, and list ${list.length} sessions`, performance.now() - opening)
  say('  of this, the open alone', open1)
  print('list the sessions again', 50, () => again.sessions.list())
  print(`read the last page (50 entries) of a session of ${LARGE_SESSION} events`, 50, () =>
    again.ledger.snapshot(SessionId.parse('session-0'), 50),
  )
  print('read a page in the middle of this session', 50, () => again.ledger.page(SessionId.parse('session-0'), 60_000, 50))
  print('append to this session', 200, (n) => again.log(SessionId.parse('session-0')).append(input(n, 500)))
  print('count the sessions on disk and in the list', 50, () => again.health())
  const reading = performance.now()
  let count = 0
  for (const _ of again.log(SessionId.parse('session-0')).read()) count++
  say(`read all ${count} events of this session`, performance.now() - reading)
  again.close()
  return figures
}

function rows() {
  const figures: Figure[] = []
  return {
    figures,
    print(promise: string, times: number, work: (n: number) => unknown): void {
      const taken: number[] = []
      for (let n = 0; n < times; n++) {
        const before = performance.now()
        work(n)
        taken.push(performance.now() - before)
      }
      taken.sort((a, b) => a - b)
      const at = (part: number): string => (taken[Math.floor(times * part)] ?? 0).toFixed(3)
      figures.push({ promise, value: `${at(0.5)} ms`, method: `median of ${times} calls; 99th percentile ${at(0.99)} ms` })
    },
    say(promise: string, value: number, unit = 'ms'): void {
      figures.push({ promise, value: `${value.toFixed(1)} ${unit}`, method: 'once' })
    },
  }
}

function input(n: number, bytes: number): DurableEvent {
  return { kind: 'USER_INPUT', inputId: `i${n}`, text: `${n} ${'x'.repeat(bytes)}`, delivery: 'prompt' }
}

function turn(): DurableEvent {
  const parts = [{ kind: 'text', text: 'I read the file. '.repeat(10) } as const]
  return {
    kind: 'ASSISTANT_TURN',
    provider: 'anthropic',
    model: 'm',
    parts,
    stopReason: 'tool_calls',
    responseId: 'r',
    usage: NO_USAGE,
    complete: true,
  }
}

function start(toolCallId: ToolCallId): DurableEvent {
  return { kind: 'TOOL_CALL_START', toolCallId, toolName: 'read_file', args: { file_path: 'src/main.ts' } }
}

function end(toolCallId: ToolCallId, bytes: number): DurableEvent {
  const rest = { outputBlob: null, modelText: null, isError: false, outcome: 'done', durationMs: 1, details: null } as const
  return { kind: 'TOOL_CALL_END', toolCallId, toolName: 'read_file', output: 'x'.repeat(bytes), ...rest }
}

/** Returns the nth event of a session's typical mix, which repeats every four events. */
function events4(n: number, bytes: number): DurableEvent {
  const id = `c${Math.floor(n / 4)}` as ToolCallId
  const mix = [() => turn(), () => start(id), () => end(id, bytes), () => input(n, 100)]
  return (mix[n % 4] ?? turn)()
}
