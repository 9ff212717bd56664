import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SessionId } from '../../shared/lib/ids.ts'
import { runAgent } from './agent-run.ts'
import { inFolder, made, openApp, seeded, startModel, times, turn } from './bench-app.ts'
import { type Figure, median } from './figures.ts'
import { told, watchMain } from './main-watch.ts'
import { seedSession } from './seeded-session.ts'
import { startedBytes } from './started-processes.ts'

const SESSIONS = 10
const ROUNDS = 200
const MB = 1024 ** 2
/** Tests that take about a second. */
const TESTS = `import test from 'node:test'
for (let n = 0; n < 200; n++) test('adds ' + n, () => { let sum = 0; for (let i = 0; i < 2_000_000; i++) sum += i })
`

/** Measures sessions beside the folder as a user has them: many at once, and one with many commands. */
export async function benchBeside(): Promise<readonly Figure[]> {
  await inFolder((folder) => tenSessions(folder, 1))
  return [...(await inFolder((folder) => tenSessions(folder, SESSIONS))), await shellRounds()]
}

async function tenSessions(folder: string, count: number): Promise<readonly Figure[]> {
  const project = made(folder, 'project')
  writeFileSync(join(project, 'add.test.mjs'), TESTS)
  const data = made(folder, 'data')
  const run = { kind: 'shell', command: `${process.execPath} --test add.test.mjs` } as const
  const models = await Promise.all(Array.from({ length: count }, () => startModel(run)))
  const ids = models.map((_, n) => SessionId.parse(`s${n}`))
  await seeded(data, (store) => {
    for (const [n, sessionId] of ids.entries()) {
      const baseUrl = models[n]?.url ?? null
      const config = {
        provider: 'anthropic',
        model: 'claude-haiku-4-5',
        mode: 'ask',
        effort: null,
        baseUrl,
        where: { kind: 'beside' },
      } as const
      seedSession(store, { sessionId, cwd: project, config, rounds: 1, outputChars: 100 })
    }
  })
  const app = await openApp(data, project)
  try {
    const before = startedBytes()
    const watched = await watchMain(() => Promise.all(ids.map((sessionId) => turn(app.client, sessionId))))
    const each = (startedBytes() - before) / count / MB
    return [
      {
        promise: `${count} sessions beside, each running tests, at once`,
        value: told(watched),
        method: 'sessions.send of all at once until the last turn has ended; bar: nothing in main above 50 ms',
      },
      {
        promise: 'memory of a session beside',
        value: `${each.toFixed(0)} MB`,
        method: `its share (Pss) of the processes that are left in its layer, mean of ${count}; bar: 60 MB`,
      },
    ]
  } finally {
    await app.close()
    await times(count, async (n) => models[n]?.close())
  }
}

async function shellRounds(): Promise<Figure> {
  const gapOf = async (kind: 'shell' | 'shell beside'): Promise<number> => median((await runAgent(kind, ROUNDS)).gapsMs)
  const ratios: number[] = []
  for (let run = 0; run < 3; run++) ratios.push((await gapOf('shell beside')) / (await gapOf('shell')))
  return {
    promise: `${ROUNDS} shell rounds beside, against here`,
    value: `${median(ratios).toFixed(2)} ×`,
    method: 'median gap between an answer and the next request, the two in turn, median of 3; bar: 1.5 ×',
  }
}
