import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { type PersonTerminals, createPersonTerminals } from '../../main/terminals/person-terminals.ts'
import { SessionId } from '../../shared/lib/ids.ts'

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
