import { createHash } from 'node:crypto'
import { constants, existsSync, mkdtempSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Patience } from '../../main/places/lasting-child.ts'
import { createPlaces, type Places } from '../../main/places/places.ts'
import { processesWith } from '../environment/copy/support.ts'
import { failureOf } from '../environment/support.ts'
import { isAlive } from '../support/is-alive.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest, processesNaming, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'

const PLACE = { kind: 'ssh', host: 'box', port: null } as const

describe.skipIf(whyNoSshServer !== null)('a lost connection', { timeout: 120_000 }, () => {
  let server: SshServer
  let places: Places
  const open = async () => {
    const reached = await places.reach(PLACE)
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    return reached.value.createEnvironment(realpathSync(mkdtempSync(join(server.folder, 'project-'))))
  }
  beforeAll(async () => {
    await buildGuest()
    server = await startSshServer()
    places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: server.config })
    await open()
  }, 180_000)
  afterAll(async () => {
    await places?.close()
    await server?.close()
  })

  test('a command keeps running, and all of its output arrives once and in order after the reconnect', async () => {
    const env = await open()
    const states: string[] = []
    const listening = places.onLost(() =>
      states.push(
        places
          .lost()
          .map(({ since }) => typeof since)
          .join(),
      ),
    )
    let heard = ''
    const running = env.execCommand('for i in $(seq 1 400); do echo "line $i of the output"; sleep 0.01; done', {
      timeoutMs: 100_000,
      onOutput: ({ text }) => (heard += text),
    })
    for (const until of ['line 20 ', 'line 120 ']) {
      await vi.waitUntil(() => heard.includes(until), { timeout: 30_000 })
      server.cut()
      await vi.waitUntil(() => places.lost().length === 1, { timeout: 30_000 })
      await vi.waitUntil(() => places.lost().length === 0, { timeout: 30_000 })
    }
    const expected = Array.from({ length: 400 }, (_, at) => `line ${at + 1} of the output\n`).join('')
    expect(await running).toMatchObject({ exitCode: 0, stdout: expected })
    expect(heard).toBe(expected)
    expect(states).toContain('number')
    listening.dispose()
  })

  test('calls that were sent during the loss are answered after the reconnect', async () => {
    const env = await open()
    await env.writeFile('a.txt', 'one')
    server.cut()
    const stats = await Promise.all(Array.from({ length: 50 }, () => env.stat('a.txt')))
    expect(stats.map((stat) => stat?.size)).toEqual(Array.from({ length: 50 }, () => 3))
  })

  test('after giving up, waiting calls fail, and the next call connects again', async () => {
    const env = await open()
    await env.initialize()
    const waiting = failureOf(env.execCommand('sleep 4913', { timeoutMs: 100_000 }))
    await vi.waitUntil(() => processesWith('sleep\0' + '4913').length > 0, { timeout: 30_000 })
    server.stop()
    server.cut()
    await vi.waitUntil(() => places.lost().length === 1, { timeout: 30_000 })
    places.giveUp(PLACE)
    expect(await waiting).toMatchObject({ code: 'ELOST' })
    expect(places.lost()).toEqual([])
    server.goOn()
    expect(await env.fileExists('nothing')).toBe(false)
  })

  test('the host process listens on a socket file that only the user can reach, and closing the desk ends its programs', async () => {
    const env = await open()
    const running = failureOf(env.execCommand('sleep 4914', { timeoutMs: 100_000 }))
    await vi.waitUntil(() => processesWith('sleep\0' + '4914').length > 0, { timeout: 30_000 })
    const run = join(server.home, '.cache/countersign/run')
    const modes = readdirSync(run).map((name) => statSync(join(run, name)).mode)
    expect([statSync(run).mode & 0o777, new Set(modes)]).toEqual([0o700, new Set([constants.S_IFSOCK | 0o600])])
    await places.close()
    expect(await running).toMatchObject({ code: 'ELOST' })
    expect(processesWith('sleep\0' + '4914')).toEqual([])
  })

  describe('that lasts long', () => {
    const patient = async (patience: Patience) => {
      const away = await startSshServer()
      onTestFinished(() => away.close())
      const far = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: away.config, patience })
      onTestFinished(() => far.close())
      const reached = await far.reach(PLACE)
      if (!reached.ok) throw new Error(reached.failure.what)
      return { away, far, env: reached.value.createEnvironment(away.folder) }
    }
    const isLost = (far: Places) => vi.waitUntil(() => far.lost().length === 1, { timeout: 30_000 })

    test('and longer than any wait between attempts is ended by a reconnection, and 6 MB of output arrive once and in order', async () => {
      const { away, far, env } = await patient({ graceMs: 60_000, maxWaitMs: 1_000 })
      let tries = 0
      const listening = far.onLost(() => (tries += far.lost().filter(({ nextAt }) => nextAt === null).length))
      const hash = createHash('sha256')
      let heard = ''
      const running = env.execCommand('echo begin; until [ -e go ]; do sleep 0.05; done; seq 1 900000; echo end; touch done', {
        timeoutMs: 100_000,
        spool: (bytes) => void hash.update(bytes),
        onOutput: ({ text }) => (heard ||= text),
      })
      await vi.waitUntil(() => heard !== '', { timeout: 30_000 })
      await away.goAway()
      await isLost(far)
      writeFileSync(join(away.folder, 'go'), '')
      await vi.waitUntil(() => tries >= 6, { timeout: 60_000 })
      // The program waits, because the output that nobody has read is kept up to a limit.
      expect(existsSync(join(away.folder, 'done'))).toBe(false)
      await away.comeBack()
      expect(await running).toMatchObject({ exitCode: 0 })
      const numbers = Array.from({ length: 900_000 }, (_, at) => `${at + 1}\n`).join('')
      expect(hash.digest('hex')).toBe(createHash('sha256').update(`begin\n${numbers}end\n`).digest('hex'))
      listening.dispose()
    })

    test('and longer than the grace time ends everything there, nothing stays behind, and the next call starts again', async () => {
      const { away, far, env } = await patient({ graceMs: 3_000, maxWaitMs: 500 })
      const shell = await env.openShell()
      const stubborn = failureOf(env.execCommand('setsid sleep 4921 & nohup sleep 4922 >/dev/null & sleep 4923', { timeoutMs: 100_000 }))
      const sleepers = () => ['4921', '4922', '4923'].flatMap((seconds) => [...processesWith(`sleep\0${seconds}`)])
      await vi.waitUntil(() => sleepers().length === 3, { timeout: 30_000 })
      const daemons = processesNaming(join(away.home, '.cache/countersign/run'))
      expect(daemons.length).toBeGreaterThan(0)
      await away.goAway()
      expect(sleepers()).toHaveLength(3)
      expect([(await stubborn).code, shell.isAlive(), far.lost()]).toEqual(['ELOST', false, []])
      await vi.waitUntil(() => sleepers().length === 0 && daemons.filter(isAlive).length === 0, { timeout: 30_000 })
      expect([readdirSync(join(away.home, '.cache/countersign/run')), processesNaming(away.home)]).toEqual([[], []])
      await away.comeBack()
      expect(await env.fileExists('nothing')).toBe(false)
    })
  })
})
