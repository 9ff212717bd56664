import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SessionId } from '../../shared/lib/ids.ts'
import type { AppClient } from '../../shared/api/contract.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { inFolder, made, never, openApp, seeded, startModel, turn } from './bench-app.ts'
import type { Figure } from './figures.ts'
import { told, watchMain } from './main-watch.ts'
import { seedSession } from './seeded-session.ts'

const FILES = 1_000
const OVERLAPPING = 50
const LINES = 40

const text = (file: number, changed: Readonly<Record<number, string>> = {}): string =>
  `${Array.from({ length: LINES }, (_, line) => changed[line] ?? `file ${file} line ${line}`).join('\n')}\n`
const nameOf = (file: number): string => `f${file}.txt`

/** Measures a bring-in of many files, of which the user has changed some in the folder meanwhile. */
export async function benchBringIn(): Promise<readonly Figure[]> {
  return inFolder(async (base) => {
    const project = made(base, 'project')
    for (let file = 0; file < FILES; file++) writeFileSync(join(project, nameOf(file)), text(file))
    const data = made(base, 'data')
    const model = await startModel({ kind: 'shell', command: `sed -i '3s/.*/by the session/' f*.txt` })
    const sessionId = SessionId.parse('s_bench')
    const where = { kind: 'beside' } as const
    const config = { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'ask', effort: null, baseUrl: model.url, where } as const
    await seeded(data, (store) => seedSession(store, { sessionId, cwd: project, config, rounds: 1, outputChars: 100 }))
    const app = await openApp(data, project)
    try {
      await turn(app.client, sessionId)
      for (let file = 0; file < OVERLAPPING; file++) writeFileSync(join(project, nameOf(file)), text(file, { 20: 'by the user' }))
      return await measured(app.client, sessionId, project)
    } finally {
      await app.close()
      await model.close()
    }
  })
}

async function measured(client: AppClient, from: SessionId, project: string): Promise<readonly Figure[]> {
  let sessionId = from
  const asked = await watchMain(async () => {
    const answer = await client.sessions.bringIn({ sessionId: from })
    if (!answer.ok) throw new Error(answer.trouble.what)
    sessionId = answer.sessionId
  })
  const { approval } = await waiting(client, sessionId)
  if (!approval) throw new Error('Nothing waits for a signature.')
  const { approvalId, hash } = approval
  const { armsInMs } = await client.approvals.shown({ sessionId, approvalId })
  await new Promise((resolve) => setTimeout(resolve, armsInMs))
  const begun = { at: performance.now(), cpu: process.cpuUsage() }
  const outcome = await client.approvals.answer({ sessionId, approvalId, hash, answer: { kind: 'sign' } })
  if (outcome.kind !== 'accepted') throw new Error(outcome.message)
  await idle(client, sessionId)
  const { user, system } = process.cpuUsage(begun.cpu)
  const signedMs = performance.now() - begun.at
  const merged = readdirSync(project).filter((name) => readFileSync(join(project, name), 'utf8').includes('by the user\n'))
  if (merged.length !== OVERLAPPING) throw new Error(`${merged.length} files have the user's line.`)
  return [
    {
      promise: `ask to bring in ${FILES} files, ${OVERLAPPING} of them changed in the folder too`,
      value: told(asked),
      method: 'sessions.bringIn until the request waits; no bar',
    },
    {
      promise: 'bring them in',
      value: `${signedMs.toFixed(0)} ms (${((user + system) / 1_000).toFixed(0)} ms of CPU time in all threads)`,
      method: 'approvals.answer until the folder has all of them and the turn has ended; bar: 1 s',
    },
  ]
}

async function waiting(client: AppClient, sessionId: SessionId): Promise<CallItem> {
  for await (const item of client.sessions.open({ sessionId, cursor: null }, never())) {
    const calls = item.kind === 'snapshot' ? item.state.items : []
    const call = calls.find((one) => one.kind === 'call' && one.status === 'waiting')
    if (call?.kind === 'call') return call
  }
  throw new Error('The session was closed.')
}

/** Resolves when the session's turn has ended. */
async function idle(client: AppClient, sessionId: SessionId): Promise<void> {
  for await (const item of client.sessions.list({}, never())) {
    if (item.kind === 'removed') continue
    const known = item.kind === 'all' ? item.sessions.find((one) => one.sessionId === sessionId) : item.session
    if (known?.sessionId === sessionId && known.run === 'IDLE') return
  }
}
