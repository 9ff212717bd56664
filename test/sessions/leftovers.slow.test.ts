import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import type { LeftCommand } from '../../shared/api/app.ts'
import type { Envelope } from '../../shared/session/events.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { appears } from './support/appears.ts'
import { startSession } from './support/child.ts'
import { isAlive } from '../support/is-alive.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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

const onLinux = test.skipIf(process.platform !== 'linux')

/** Kills a session whose command and daemon keep running. Returns their pids, and the session, folders and command that started them. */
async function leftRunning(): Promise<{ data: string; folder: string; sessionId: string; pids: readonly number[]; command: string }> {
  const base = temporaryFolder('leftovers')
  const data = join(base, 'data')
  const folder = join(base, 'workspace')
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
  return { data, folder, sessionId: session.sessionId, pids, command }
}

/** Resolves with the commands that the app offers to stop or keep, once it has checked what was left running. */
async function offersOf({ leftovers }: App): Promise<readonly LeftCommand[]> {
  await leftovers.settled
  return leftovers.offered()
}

onLinux(
  'a command that a killed app left running is offered to the user, who can end it, and its session gets a notice (P2-45, T-12)',
  async () => {
    const { data, folder, sessionId, pids, command } = await leftRunning()
    const begun = Date.now()
    const app = await startApp(data, folder)
    const offers = await offersOf(app)
    const [offer] = offers
    const since = expect.any(Number)
    expect(offers).toEqual([{ id: offer?.id, command, folder, since, processes: expect.any(Number), sessionId, isEnding: false }])
    expect(offer?.since).toBeLessThan(begun)
    expect(pids.map(isAlive)).toEqual([true, true])

    expect(await app.leftovers.end(offer?.id ?? '')).toBe(true)
    expect([pids.map(isAlive), app.leftovers.offered()]).toEqual([[false, false], []])
    expect(await warningIn(app, sessionId)).toMatchObject({
      trouble: { code: 'left_running', todo: 'Run the command again if you still need it.' },
    })
    const state = app.store.ledger.snapshot(SessionId.parse(sessionId), 100)
    expect([state?.run, state?.ended, state?.items.at(-1)?.kind]).toEqual(['IDLE', 'interrupted', 'notice'])
    expect([await app.leftovers.end(offer?.id ?? ''), app.leftovers.keep(offer?.id ?? '')]).toEqual([false, false])
    await app.close()
    expect(await readdir(join(data, 'notes'))).toEqual([])
  },
)

onLinux('an undecided command is offered again at the next launch, and a kept command continues and is never offered again', async () => {
  const { data, folder, sessionId, pids } = await leftRunning()
  const first = await startApp(data, folder)
  const [before] = await offersOf(first)
  await first.close()
  const second = await startApp(data, folder)
  const [offer] = await offersOf(second)
  expect({ ...offer, id: '' }).toEqual({ ...before, id: '' })
  expect([second.leftovers.keep(offer?.id ?? ''), second.leftovers.offered()]).toEqual([true, []])
  expect(await warningIn(second, sessionId)).toMatchObject({
    trouble: { code: 'left_running', kept: expect.stringContaining('keeps running') },
  })
  await second.close()
  expect(pids.map(isAlive)).toEqual([true, true])
  expect(await offersOf(await startApp(data, folder))).toEqual([])
})

onLinux('an offered command is no longer offered once it has ended', async () => {
  const { data, folder, pids } = await leftRunning()
  const app = await startApp(data, folder)
  expect(await offersOf(app)).toHaveLength(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  app.leftovers.onChange(resolve)
  for (const pid of pids) process.kill(-pid, 'SIGKILL')
  await promise
  expect(app.leftovers.offered()).toEqual([])
})

onLinux('if nobody can be asked, a command that a killed app left running is ended, and stderr names it', async () => {
  const { data, folder, pids, command } = await leftRunning()
  const model = await startScriptedModel([say('Done.')])
  onTestFinished(() => model.close())
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: model.url }
  const { code, stderr } = await runAgent(['--json', 'Go on'], { cwd: folder, data, env })
  expect([code, pids.map(isAlive)]).toEqual([0, [false, false]])
  expect(stderr).toContain(`left running in ${folder} since ${new Date().getFullYear()}`)
  expect(stderr).toContain(command)
})

onLinux('the next launch removes the temp file of a killed process, but not the temp file of a running process (fault 16)', async () => {
  const base = temporaryFolder('leftovers')
  const data = join(base, 'data')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  const model = await startScriptedModel([calls(call('shell', { command: 'sleep 300' }))])
  onTestFinished(() => model.close())
  const living = await startApp(data, folder)
  const dead = await startSession({ data, folder, modelUrl: model.url, mode: 'full' })
  // The moment between writing a temp file and renaming it is too short to hit, so the test itself adds the notes about such files.
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
  await next.leftovers.settled
  expect((await readdir(folder)).sort()).toEqual([temp('b'), temp('c')].map((path) => path.slice(folder.length + 1)))
})
