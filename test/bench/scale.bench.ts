import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { firstItem, inFolder, made, never, type OpenApp, openApp, seeded, startModel, times, turn } from './bench-app.ts'
import type { Figure } from './figures.ts'
import { told, watchMain } from './main-watch.ts'
import { type Seed, seedSession } from './seeded-session.ts'

/** 2,000 rounds of two calls with outputs of this length make 300 MB. */
const LARGE = { rounds: 2_000, outputChars: 62_000 } as const
const SMALL = SessionId.parse('small')
/** 2,000 sessions of 12 rounds make 1 GB. */
const MANY = { sessions: 2_000, rounds: 12, outputChars: 13_000 } as const

/**
 * Measures the longest task of the main process, first with a session of 300 MB and then with 2,000 sessions that total 1 GB (DESIGN §10:
 * at most 50 ms).
 */
export async function benchScale(): Promise<readonly Figure[]> {
  return [...(await inFolder(largeSession)), ...(await inFolder(manySessions))]
}

async function largeSession(folder: string): Promise<readonly Figure[]> {
  const model = await startModel({ kind: 'word' })
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  const config = { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'full', effort: null, baseUrl: model.url } as const
  await seeded(data, (store) => {
    seedSession(store, { sessionId: SMALL, cwd: project, config, rounds: 1, outputChars: 100 })
    seedSession(store, { sessionId: 'large', cwd: project, config, ...LARGE })
  })
  const size = megabytes(data)
  const sessionId = SessionId.parse('large')
  const figures: Figure[] = []
  const measured = async (what: string, how: string, work: () => Promise<unknown>): Promise<void> => {
    figures.push({ promise: `${what}, ${size} MB in one session`, value: told(await watchMain(work)), method: how })
  }
  const app = await openApp(data, project)
  try {
    // The modules that the first use imports are loaded before this measurement, because the start benchmark measures them.
    await firstItem(app.client.sessions.open({ sessionId: SMALL, cursor: null }, never()))
    await turn(app.client, SMALL)
    await measured('open the session', 'sessions.open to its snapshot', () =>
      firstItem(app.client.sessions.open({ sessionId, cursor: null }, never())),
    )
    await measured('first message', 'sessions.send to the end of the turn; the model answers from another thread', () =>
      turn(app.client, sessionId),
    )
    await measured('second message', 'the same again', () => turn(app.client, sessionId))
    await measured('changes', 'changes.list, ten times', () => times(10, () => app.client.changes.list({ sessionId })))
    await measured('terminals of old calls', 'terminals.attach of ten calls', () =>
      times(10, (n) => firstItem(app.client.terminals.attach({ sessionId, toolCallId: ToolCallId.parse(`call-${n * 150}-1`) }, never()))),
    )
    await measured('replay: outline', 'replay.outline, folded by the thread of the history', () => app.client.replay.outline({ sessionId }))
    await measured('replay: ten jumps', 'replay.moment at ten places of the session, in another order than they came', async () => {
      const outline = await app.client.replay.outline({ sessionId })
      if (!outline.ok) throw new Error(outline.trouble.what)
      const { stops } = outline.value
      const began = performance.now()
      for (const tenth of [9, 1, 5, 3, 8, 2, 7, 4, 6, 0]) {
        const { seq } = stops[Math.floor((stops.length * tenth) / 10)] ?? { seq: 0 }
        await app.client.replay.moment({ sessionId, seq })
      }
      figures.push({
        promise: 'replay: a jump on average',
        value: `${((performance.now() - began) / 10).toFixed(0)} ms`,
        method: 'average of the ten jumps',
      })
    })
    await measured('ten older pages', 'sessions.page, 100 entries each', () =>
      times(10, (n) => app.client.sessions.page({ sessionId, before: 400 * (n + 1), limit: 100 })),
    )
  } finally {
    await app.close()
  }
  await raiseVersion(data)
  const again = await openApp(data, project)
  try {
    await measured('open after a raised projection version', 'sessions.open to its snapshot', () =>
      firstItem(again.client.sessions.open({ sessionId, cursor: null }, never())),
    )
  } finally {
    await again.close()
    await model.close()
  }
  return figures
}

async function manySessions(folder: string): Promise<readonly Figure[]> {
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  const config = { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'full', effort: null, baseUrl: null } as const
  const seed = (n: number): Seed => ({ sessionId: `session-${n}`, cwd: project, config, ...MANY })
  await seeded(data, (store) => {
    for (let n = 0; n < MANY.sessions; n++) seedSession(store, seed(n))
  })
  const size = megabytes(data)
  const figures: Figure[] = []
  const measured = async (what: string, how: string, work: () => Promise<unknown>): Promise<void> => {
    figures.push({ promise: `${what}, ${size} MB in ${MANY.sessions} sessions`, value: told(await watchMain(work)), method: how })
  }
  let app: OpenApp | null = null
  await measured('start', 'createServedApp to the list of sessions', async () => {
    app = await openApp(data, project)
    await firstItem(app.client.sessions.list({}, never()))
  })
  const open = app as OpenApp | null
  if (!open) return figures
  try {
    await measured('open 40 sessions', 'sessions.open to the snapshot, one after the other', () =>
      times(40, (n) => firstItem(open.client.sessions.open({ sessionId: SessionId.parse(`session-${n * 40}`), cursor: null }, never()))),
    )
  } finally {
    await open.close()
  }
  return figures
}

async function raiseVersion(data: string): Promise<void> {
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(join(data, 'countersign.db'))
  db.exec('UPDATE sessions SET version = 0')
  db.close()
}

const megabytes = (data: string): number => Math.round(statSync(join(data, 'countersign.db')).size / 1e6)
