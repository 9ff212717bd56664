import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createKeptTerminals } from '../../main/store/kept-terminals.ts'
import { type PersonTerminals, createPersonTerminals } from '../../main/terminals/person-terminals.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'

const SESSION = SessionId.parse('s_own')
const ended: (() => Promise<unknown>)[] = []

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const end of ended.splice(0).toReversed()) await end()
})

/** Opens the user's shell as on this platform, types a line, and returns what the terminal shows up to the mark. */
async function typedInto(platform: NodeJS.Platform, line: string, mark: string, shell = '/bin/bash'): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'countersign-home-'))
  ended.push(() => rm(home, { recursive: true, force: true }))
  await writeFile(join(home, '.bash_profile'), 'FROM_START_FILE=login\n')
  await writeFile(join(home, '.bashrc'), 'FROM_START_FILE=plain\n')
  vi.stubEnv('HOME', home)
  vi.stubEnv('SHELL', shell)
  const environment = createLocalExecutionEnvironment(home)
  const own: PersonTerminals = createPersonTerminals({ platform })
  ended.push(() => own.close())
  const opened = await own.open(SESSION, { environment, close: () => environment.cleanup() }, line)
  if (!opened.ok) throw new Error(opened.failure.what)
  let shown = ''
  for await (const item of own.attach({ sessionId: SESSION, toolCallId: opened.value }, new AbortController().signal)) {
    if (item.kind === 'data') shown += item.data
    if (shown.includes(mark)) break
  }
  return shown
}

test.skipIf(process.platform === 'win32').each([
  ['darwin', 'login'],
  ['linux', 'login'],
] as const)('on %s, the user’s own terminal is a %s shell', async (platform, kind) => {
  expect(await typedInto(platform, 'echo "[$FROM_START_FILE]"\n', `[${kind}]`)).toContain(`[${kind}]`)
})

test.skipIf(process.platform === 'win32')('an account whose shell allows no login gets sh', async () => {
  expect(await typedInto('linux', 'echo "[$((40 + 2))]"\n', '[42]', '/usr/sbin/nologin')).toContain('[42]')
})

/** A folder with a place whose `isClosed` becomes true when what ran there has ended. */
async function watchedPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-own-'))
  ended.push(() => rm(folder, { recursive: true, force: true }))
  vi.stubEnv('SHELL', '/bin/sh')
  const environment = createLocalExecutionEnvironment(folder)
  const place = {
    environment,
    isClosed: false,
    async close() {
      await environment.cleanup()
      place.isClosed = true
    },
  }
  return { folder, place }
}

test.skipIf(process.platform === 'win32')('closing a terminal that is still starting ends its shell', async () => {
  const { place } = await watchedPlace()
  const own = createPersonTerminals()
  ended.push(() => own.close())
  const opening = own.open(SESSION, place, '')
  const [key] = own.status()
  expect(key && own.end(key)).toBe(true)
  expect(await opening).toMatchObject({ ok: false, failure: { what: expect.stringContaining('It was closed') } })
  expect(place.isClosed).toBe(true)
  expect(own.status()).toEqual([])
})

test.skipIf(process.platform === 'win32')('nothing runs any more once all terminals are closed, not even what was starting', async () => {
  const { place } = await watchedPlace()
  const own = createPersonTerminals()
  const opening = own.open(SESSION, place, '')
  await own.close()
  expect(await opening).toMatchObject({ ok: false })
  expect(place.isClosed).toBe(true)
})

test.skipIf(process.platform === 'win32')(
  'a restored terminal whose machine is away shows its output and why, and starts once it is back',
  async () => {
    const { folder, place } = await watchedPlace()
    const key = { sessionId: SESSION, toolCallId: ToolCallId.parse('own_1') }
    createKeptTerminals(folder).save({ ...key, name: 'checks', isInLayer: false, screen: 'all 42 passed' })
    const trouble = { code: 'away', what: 'No connection to box.', kept: '', todo: '' }
    let isAway = true
    const openPlace = async () => (isAway ? ({ ok: false, failure: trouble } as const) : ({ ok: true, value: place } as const))
    const own = createPersonTerminals({ kept: createKeptTerminals(folder), openPlace })
    ended.push(() => own.close())
    const shown = async () => {
      const kinds: string[] = []
      for await (const item of own.attach(key, new AbortController().signal)) {
        kinds.push(item.kind)
        if (item.kind !== 'replay') continue
        expect(item.data).toContain('all 42 passed')
        if (item.data.includes('Restored with a new shell')) break
        expect(item.data).toContain('No connection to box.')
      }
      return kinds
    }
    expect(await shown()).toEqual(['replay', 'exit'])
    expect(own.status()).toMatchObject([{ ...key, name: 'checks', runs: false }])
    isAway = false
    expect(await shown()).toEqual(['replay'])
    expect(own.status()).toMatchObject([{ runs: true }])
  },
)
