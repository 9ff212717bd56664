import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type App, createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import { call, calls, say, startScriptedModel, type Script } from '../support/scripted-model.ts'
import { isAlive } from '../support/is-alive.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Opens the entire app over a folder, with a user watching, and runs one turn of a scripted model. */
async function turn(
  script: Script,
  meanwhile: (app: App, session: OpenedSession) => void = () => {},
  settings: (folder: string) => object = () => ({}),
): Promise<{ readonly app: App; readonly folder: string }> {
  const base = temporaryFolder('lasting-shell')
  const folder = join(base, 'project')
  await mkdir(folder)
  await mkdir(join(base, 'data'))
  await writeFile(join(base, 'data/settings.json'), JSON.stringify(settings(folder)))
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const host = headlessHost()
  await host.secrets.set('anthropic', 'sk-ant-nobodys')
  const parts = { host, dataFolder: join(base, 'data'), version: '0.0.0', openFolder: null, watched: true, trusted: folder } as const
  const made = await createApp({ ...parts, whenUnsaved: 'fail' })
  if (!made.ok) throw new Error(made.failure.what)
  const app = made.value
  onTestFinished(() => app.close())
  const started = await app.starter.start(folder, { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'full', baseUrl: model.url })
  if (!started.ok) throw new Error(started.failure.what)
  meanwhile(app, started.value)
  started.value.running()?.submit('Go')
  await started.value.running()?.idle()
  return { app, folder }
}

test('R-18: bash keeps its state between rounds, and both bash and background commands end with the session', async () => {
  const { app, folder } = await turn([
    calls(call('bash', { command: 'mkdir inner; cd inner; x=5; echo $$ > pid' })),
    calls(
      call('bash', { command: 'echo "$x $PWD" > told' }),
      call('shell', { command: 'echo $$ > inner/far; sleep 300', run_in_background: true }),
    ),
    calls(call('bash', { command: 'until [ -s far ]; do sleep 0.02; done; cat pid far' })),
    say('Done.'),
  ])
  expect(await readFile(join(folder, 'inner/told'), 'utf8')).toBe(`5 ${folder}/inner\n`)
  const pids = await Promise.all(['pid', 'far'].map(async (name) => Number(await readFile(join(folder, 'inner', name), 'utf8'))))
  expect(pids.map(isAlive)).toEqual([true, true])
  await app.close()
  expect(pids.map(isAlive)).toEqual([false, false])
})

test.skipIf(process.platform !== 'linux').each(['shell', 'bash'])(
  'issue 3: a %s command that waits for input is marked as waiting and can be answered in its terminal',
  async (name) => {
    const marked: boolean[] = []
    const script = [calls(call(name, { command: 'printf "Who? "; read x; echo "hello $x" > told' })), say('Done.')]
    const { folder } = await turn(script, (app, session) => void answer(app, session))

    async function answer(app: App, session: OpenedSession): Promise<void> {
      for await (const item of session.watch(null, new AbortController().signal)) {
        if (item.kind !== 'events') continue
        for (const { event } of item.envelopes) {
          if (event.kind !== 'TOOL_CALL_OUTPUT_DELTA' || !event.waitsForInput) continue
          marked.push(event.tail.includes('Who?'))
          app.terminals.write({ sessionId: session.sessionId, toolCallId: event.toolCallId }, 'Ada\r')
          return
        }
      }
    }
    expect([marked, await readFile(join(folder, 'told'), 'utf8')]).toEqual([[true], 'hello Ada\n'])
  },
)

test('D-46, T-05: if neither the call nor the user sets a limit, the model profile’s default applies', async () => {
  const { app } = await turn([
    calls(call('shell', { command: 'true' }), call('shell', { command: 'true', timeout_ms: 5_000 })),
    say('Done.'),
  ])
  const [session] = app.store.sessions.list()
  const items = session ? (app.store.ledger.snapshot(session.sessionId, 100)?.items ?? []) : []
  const limits = items.flatMap((item) =>
    item.kind === 'call' ? item.effects.map((effect) => 'timeoutMs' in effect && effect.timeoutMs) : [],
  )
  expect(limits).toEqual([120_000, 5_000])
})

test('D-46, T-16: commands get the user’s time limit and variables for the project', async () => {
  vi.stubEnv('BUILD_TOKEN', 'for the build')
  vi.stubEnv('OTHER_TOKEN', 'for nobody')
  const { app, folder } = await turn(
    [calls(call('shell', { command: 'echo "$BUILD_TOKEN,$OTHER_TOKEN" > told; sleep 300' })), say('Done.')],
    () => {},
    (project) => ({ commandLimitMs: 3_000, allowVariables: { [project]: ['BUILD_*'] } }),
  )
  expect(await readFile(join(folder, 'told'), 'utf8')).toBe('for the build,\n')
  const [session] = app.store.sessions.list()
  const ended = session && app.store.ledger.snapshot(session.sessionId, 100)?.items.find((item) => item.kind === 'call')
  expect(ended).toMatchObject({ kind: 'call', details: { timedOut: true }, effects: [{ timeoutMs: 3_000 }] })
})
