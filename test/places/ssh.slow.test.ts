import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPlaces, type Places } from '../../main/places/places.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { executionEnvironmentConformance } from '../conformance/execution-environment.ts'
import { asked, KEY, place as modelPlace } from '../headless/support/model-place.ts'
import { ofKind, runAgent, startAgent } from '../headless/support/agent-process.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { buildGuest, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'

const NOISE = 'echo "Welcome to box"; printf "no newline"'

describe.skipIf(whyNoSshServer !== null)('a folder on an ssh host', { timeout: 180_000 }, () => {
  let server: SshServer
  let places: Places
  const folderIn = (name: string): string => realpathSync(mkdtempSync(join(server.folder, `${name}-`)))
  const open = async (folder: string) => {
    const reached = await places.reach({ kind: 'ssh', host: server.host, port: null })
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    return reached.value.createEnvironment(folder)
  }
  beforeAll(async () => {
    await buildGuest()
    server = await startSshServer({ startFile: NOISE })
    places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: server.config })
    await open('/')
  }, 180_000)
  afterAll(async () => {
    await places?.close()
    await server?.close()
  })

  executionEnvironmentConformance('over ssh', () => open(folderIn('conformance')))

  test('a headless run reads, edits and runs commands on the host, and its model sees no keys of this computer', async () => {
    const folder = folderIn('project')
    execFileSync('git', ['init', '-q', folder])
    await writeFile(join(folder, 'a.txt'), 'hello\n')
    const at = await modelPlace([
      calls(call('read', { file_path: 'a.txt' })),
      calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
      calls(call('shell', { command: 'pwd; cat a.txt; echo "home $HOME"; echo made > made.txt; env' })),
      say('Done.'),
    ])
    const address = `ssh://${server.host}${folder}`
    const { cwd: _, ...data } = at
    const options = { ...data, cwd: '', env: { ...at.env, COUNTERSIGN_SSH_CONFIG: server.config } }
    const ran = await runAgent(['--place', address, '--approve', 'all', 'Do it'], options, false)
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('hello there\n')
    expect(existsSync(join(folder, 'made.txt'))).toBe(true)
    const seen = await asked(at.model, 3)
    expect(seen).toContain(`${folder}\\nhello there\\nhome ${server.home}`)
    // Programs on the host get no keys of this computer.
    expect(seen).not.toContain(KEY)
    expect(ofKind(ran, 'SESSION_START')[0]?.cwd).toBe(address)
    // The changes of a command on the host are recorded, so they can be undone.
    expect(ofKind(ran, 'FILES_CHANGED').flatMap(({ files }) => files.map(({ shown }) => shown))).toEqual(['a.txt', 'made.txt'])
    const unmade = await runAgent(['undo', '3', '--continue', '--place', address], options, false)
    expect([unmade.code, existsSync(join(folder, 'made.txt'))]).toEqual([0, false])
    const undone = await runAgent(['undo', '2', '--continue', '--place', address], options, false)
    expect([undone.code, await readFile(join(folder, 'a.txt'), 'utf8')]).toEqual([0, 'hello\n'])
  })

  test('our processes and files on a host are listed, and are ended and removed on request', async () => {
    const own = await startSshServer()
    onTestFinished(() => own.close())
    const at = await modelPlace([calls(call('shell', { command: 'sleep 300' })), say('Done.')])
    const options = { ...at, cwd: '', env: { ...at.env, COUNTERSIGN_SSH_CONFIG: own.config } }
    const folder = join(own.folder, 'project')
    mkdirSync(folder)
    const running = startAgent(['--place', `ssh://${own.host}${folder}`, '--approve', 'all', 'Do it'], options, { named: false })
    const list = async (): Promise<unknown> => JSON.parse((await runAgent(['places', 'list', '--json'], options, false)).stdout)
    const guest = { kind: 'guest', place: `ssh://${own.host}`, isReached: true }
    await expect
      .poll(list, { timeout: 60_000 })
      .toMatchObject({ places: [{ ...guest, since: expect.any(Number), bytes: expect.any(Number) }] })
    const stopped = await runAgent(['places', 'stop', `ssh://${own.host}`, '--uninstall', '--yes'], options, false)
    expect([stopped.code, stopped.stderr]).toEqual([0, ''])
    expect(existsSync(join(own.home, '.cache/countersign'))).toBe(false)
    running.child.kill('SIGKILL')
    await running.outcome
    expect(await list()).toMatchObject({ places: [{ ...guest, since: null, bytes: 0 }] })
  })

  test('our code is installed once and then found again', async () => {
    await (await open(folderIn('first'))).initialize()
    const below = join(server.home, '.cache/countersign')
    const installed = readdirSync(below).filter((name) => existsSync(join(below, name, 'complete')))
    expect(installed.map((name) => name.replace(/-.*/u, '')).toSorted()).toEqual(['0.1.0', 'node'])
    const asks: unknown[] = []
    const others = createPlaces({
      redactor: NO_REDACTOR,
      mayInstall: (plan) => {
        asks.push(plan)
        return Promise.resolve(false)
      },
      sshConfig: server.config,
    })
    try {
      expect([(await others.reach({ kind: 'ssh', host: server.host, port: null })).ok, asks]).toEqual([true, []])
    } finally {
      await others.close()
    }
  })

  test('nothing is installed if the user refuses the installation', async () => {
    const fresh = await startSshServer()
    const refusing = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(false), sshConfig: fresh.config })
    try {
      expect(await refusing.reach({ kind: 'ssh', host: fresh.host, port: null })).toMatchObject({
        ok: false,
        failure: { code: 'place_not_installed' },
      })
      expect(existsSync(join(fresh.home, '.cache'))).toBe(false)
    } finally {
      await refusing.close()
      await fresh.close()
    }
  })

  test('questions of ssh are answered here, once for all connections', async () => {
    const locked = await startSshServer({ knowsHost: false, passphrase: 'open sesame' })
    const asked = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(false), sshConfig: locked.config })
    const questions: string[] = []
    const answer = (question: string): Promise<string> => {
      questions.push(question)
      return Promise.resolve(question.includes('yes/no') ? 'yes' : 'open sesame')
    }
    try {
      const signal = new AbortController().signal
      const reach = () =>
        asked.reach({ kind: 'ssh', host: locked.host, port: null }, { answer, mayInstall: () => Promise.resolve(true), signal })
      const [reached] = await Promise.all([reach(), reach()])
      if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
      expect(questions).toEqual([expect.stringContaining('The authenticity of host'), expect.stringContaining('Enter passphrase')])
      expect(await reached.value.createEnvironment(locked.folder).fileExists('home')).toBe(true)
      expect(questions).toHaveLength(2)
    } finally {
      await asked.close()
      await locked.close()
    }
  })

  test('an unanswered question ends the connection attempt, and nothing waits', async () => {
    const locked = await startSshServer({ passphrase: 'open sesame' })
    const asked = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(false), sshConfig: locked.config })
    try {
      const signal = new AbortController().signal
      const answer = (): Promise<null> => Promise.resolve(null)
      const asker = { answer, mayInstall: () => Promise.resolve(true), signal }
      expect(await asked.reach({ kind: 'ssh', host: locked.host, port: null }, asker)).toMatchObject({
        failure: { code: 'place_given_up' },
      })
      expect(await asked.reach({ kind: 'ssh', host: locked.host, port: null })).toMatchObject({
        failure: { what: expect.stringContaining('Permission denied') },
      })
    } finally {
      await asked.close()
      await locked.close()
    }
  })

  test('an unknown host key and an unknown host are reported in the words of ssh', async () => {
    const strange = await startSshServer({ knowsHost: false })
    const far = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: strange.config })
    try {
      expect(await far.reach({ kind: 'ssh', host: strange.host, port: null })).toMatchObject({
        failure: { what: expect.stringContaining('Host key verification failed') },
      })
      expect(await far.reach({ kind: 'ssh', host: 'nowhere.invalid', port: null })).toMatchObject({
        failure: { what: expect.stringContaining('Could not resolve hostname nowhere.invalid') },
      })
    } finally {
      await far.close()
      await strange.close()
    }
  })

  test('a missing folder is refused and not created', async () => {
    const missing = join(server.folder, 'missing')
    mkdirSync(join(server.folder, 'data'), { recursive: true })
    const ran = await runAgent(
      ['--place', `ssh://${server.host}${missing}`, 'Do it'],
      { cwd: '', data: join(server.folder, 'data'), env: { COUNTERSIGN_SSH_CONFIG: server.config } },
      false,
    )
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`There is no folder ${missing}.`)])
    expect(existsSync(missing)).toBe(false)
  })
})
