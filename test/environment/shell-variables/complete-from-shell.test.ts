import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'countersign-start-'))
const shell = join(folder, 'shell')
writeFileSync(
  shell,
  '#!/bin/bash\nexport PATH=".:bin:/opt/nvm/bin:$PATH" EDITOR_OF=ed LAST_API_KEY=canary-key-0123456789abc SHLVL=9\neval "$2"\n',
)
chmodSync(shell, 0o755)

afterAll(() => rmSync(folder, { recursive: true }))

const withoutTerminal = { platform: 'linux', hasTerminal: false, loginShell: null }

describe.skipIf(process.platform === 'win32')('variables of an app that was started without a terminal', () => {
  afterEach(() => {
    vi.resetModules()
    vi.unstubAllEnvs()
  })

  /** The variables belong to the process, so each test has its own copy of the modules. */
  const modules = async () => ({
    ...(await import('../../../main/environment/launch-environment.ts')),
    ...(await import('../../../main/environment/shell-variables/complete-from-shell.ts')),
    ...(await import('../../../main/redaction/known-secrets.ts')),
    ...(await import('../../../main/settings/environment-keys.ts')),
    ...(await import('../../../main/settings/secrets.ts')),
  })

  it('come from the user’s shell: PATH first, without relative folders, and no variables of the shell process itself', async () => {
    const { completeFromShell, launchEnvironment } = await modules()
    vi.stubEnv('PATH', ['/usr/bin', '/bin'].join(delimiter))
    const answer = await completeFromShell({ ...withoutTerminal, env: { PATH: '/usr/bin:/bin', SHELL: shell } })
    expect(answer).toMatchObject({ kind: 'from_shell', shell, folders: ['/opt/nvm/bin'], names: expect.arrayContaining(['EDITOR_OF']) })
    expect(launchEnvironment()).toMatchObject({ PATH: '/opt/nvm/bin:/usr/bin:/bin', EDITOR_OF: 'ed' })
    expect(launchEnvironment()['SHLVL']).toBe(process.env['SHLVL'])
  })

  it('a key among them is hidden in outputs, is used, and is never in the environment that children inherit', async () => {
    const { completeFromShell, createMemorySecrets, createSecretRedactor, withEnvironmentKeys } = await modules()
    writeFileSync(join(folder, 'keys'), '#!/bin/bash\nexport OPENAI_API_KEY=canary-key-0123456789abc\neval "$2"\n', { mode: 0o755 })
    vi.stubEnv('OPENAI_API_KEY', '')
    const secrets = withEnvironmentKeys(createMemorySecrets())
    const redactor = createSecretRedactor(secrets)
    const changed: string[] = []
    secrets.onChange((provider) => changed.push(provider))
    await completeFromShell({ ...withoutTerminal, env: { PATH: '/usr/bin:/bin', SHELL: join(folder, 'keys') } })
    expect(redactor.text('it is canary-key-0123456789abc')).not.toContain('canary')
    expect([await secrets.get('openai'), changed.includes('openai')]).toEqual(['canary-key-0123456789abc', true])
    expect(Object.values(process.env)).not.toContain('canary-key-0123456789abc')
  })

  it('stay as they were if the shell fails, and the reason is kept', async () => {
    const { completeFromShell, launchEnvironment, launchVariables } = await modules()
    const before = launchEnvironment()
    await completeFromShell({ ...withoutTerminal, env: { PATH: '/usr/bin', SHELL: '/nowhere/fish' } })
    expect(await launchVariables()).toMatchObject({
      kind: 'failed',
      shell: '/nowhere/fish',
      why: expect.stringContaining('could not be started'),
    })
    expect(launchEnvironment()).toEqual(before)
  })

  it.each([
    ['a terminal', { ...withoutTerminal, hasTerminal: true, env: { SHELL: shell } }],
    ['a script that was started from a terminal', { ...withoutTerminal, env: { SHELL: shell, TERM: 'xterm-256color' } }],
    ['npm', { ...withoutTerminal, env: { SHELL: shell, npm_lifecycle_event: 'start' } }],
    ['Windows', { ...withoutTerminal, platform: 'win32', env: { SHELL: shell } }],
  ])('started from %s: no shell is asked', async (_, start) => {
    const { completeFromShell } = await modules()
    expect(await completeFromShell(start)).toEqual({ kind: 'as_started' })
  })

  it('without SHELL, the login shell from the list of users is asked', async () => {
    const { completeFromShell } = await modules()
    const answer = await completeFromShell({ ...withoutTerminal, env: { PATH: '/usr/bin:/bin' }, loginShell: shell })
    expect(answer).toMatchObject({ kind: 'from_shell', shell })
  })
})
