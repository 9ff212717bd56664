import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../../main/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import type { Envelope } from '../../shared/session/events.ts'
import { temporaryFolder } from '../agent/support/rig.ts'
import { call, calls, startScriptedModel } from '../support/scripted-model.ts'
import { appears } from './support/appears.ts'
import { startSession } from './support/child.ts'

async function startApp(dataFolder: string, trusted: string): Promise<App> {
  const parts = { host: headlessHost(), dataFolder, version: '0.0.0', openFolder: null, watched: true, trusted } as const
  const app = await createApp({ ...parts, whenUnsaved: 'fail' })
  if (!app.ok) throw new Error(app.failure.what)
  onTestFinished(() => app.value.close())
  return app.value
}

async function warningIn(app: App, name: string): Promise<Envelope['event']> {
  const { promise, resolve } = Promise.withResolvers<Envelope['event']>()
  const look = (envelopes: Iterable<{ readonly event: { readonly kind: string } }>): void => {
    for (const { event } of envelopes) if (event.kind === 'WARNING') resolve(event as Envelope['event'])
  }
  const subscription = app.store.subscribe(SessionId.parse(name), look, 0)
  const found = await promise
  subscription.dispose()
  return found
}

/** A zombie has ended; nobody has asked for its exit code yet. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat[stat.lastIndexOf(')') + 2] !== 'Z'
  } catch {
    return false
  }
}

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux(
  'what a command left running when the app was killed is ended at the next start, and its session is told (P2-45, T-12)',
  async () => {
    const base = await temporaryFolder('leftovers')
    const [data, folder] = [join(base, 'data'), join(base, 'workspace')]
    await mkdir(folder)
    const command = "setsid sh -c 'echo $$ > far.txt; exec sleep 300' & echo $$ > near.txt; sleep 300"
    const model = await startScriptedModel([calls(call('shell', { command }))])
    onTestFinished(() => model.close())
    const session = await startSession({ data, folder, modelUrl: model.url, mode: 'full' })
    session.tell({ kind: 'send', text: 'Begin' })
    for (const name of ['far.txt', 'near.txt']) await appears(folder, (text, file) => file === name && text.endsWith('\n'))
    const pids = await Promise.all(['far.txt', 'near.txt'].map(async (name) => Number(await readFile(join(folder, name), 'utf8'))))
    onTestFinished(() => pids.filter(isAlive).forEach((pid) => process.kill(pid, 'SIGKILL')))
    await session.kill()
    expect(pids.map(isAlive)).toEqual([true, true])

    const app = await startApp(data, folder)
    expect(await warningIn(app, session.sessionId)).toMatchObject({ kind: 'WARNING', trouble: { code: 'left_running' } })
    expect(pids.map(isAlive)).toEqual([false, false])
    const state = app.store.ledger.snapshot(SessionId.parse(session.sessionId), 100)
    expect([state?.run, state?.ended, state?.items.at(-1)?.kind]).toEqual(['IDLE', 'interrupted', 'notice'])
    await app.close()
    expect(await readdir(join(data, 'notes'))).toEqual([])
  },
)

onLinux('a temp file of a write that was killed is removed at the next start; that of somebody who lives is not (fault 16)', async () => {
  const base = await temporaryFolder('leftovers')
  const [data, folder] = [join(base, 'data'), join(base, 'workspace')]
  await mkdir(folder)
  const model = await startScriptedModel([calls(call('shell', { command: 'sleep 300' }))])
  onTestFinished(() => model.close())
  const living = await startApp(data, folder)
  const dead = await startSession({ data, folder, modelUrl: model.url, mode: 'full' })
  // The moment between the writing of a temp file and its renaming is too short to be hit: its note is put beside those of the process.
  dead.tell({ kind: 'send', text: 'Begin' })
  const notes = join(data, 'notes')
  await appears(notes, (text) => text.includes('sleep 300'))
  const temp = (digit: string): string => join(folder, `.countersign-${digit.repeat(16)}.tmp`)
  for (const digit of ['a', 'b', 'c']) await writeFile(temp(digit), 'half')
  const [file] = await readdir(notes)
  await writeFile(join(notes, file ?? ''), `${JSON.stringify({ id: 'x', entry: { kind: 'temp-file', path: temp('a') } })}\n`, { flag: 'a' })
  living.store.notes.note({ kind: 'temp-file', path: temp('b') })
  await dead.kill()
  const next = await startApp(data, folder)
  await warningIn(next, dead.sessionId)
  expect((await readdir(folder)).sort()).toEqual([temp('b'), temp('c')].map((path) => path.slice(folder.length + 1)))
})
