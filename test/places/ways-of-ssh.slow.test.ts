import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createPlaces } from '../../main/places/places.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest, processesNaming, type SshServer, startSshServer, whyNoSshServer } from './support/ssh-server.ts'

describe.skipIf(whyNoSshServer !== null)('the user’s own ways to an ssh host', { timeout: 120_000 }, () => {
  beforeAll(buildGuest, 180_000)

  async function server() {
    const started = await startSshServer()
    onTestFinished(() => started.close())
    return started
  }
  /** Connects to a host of the configuration and reads there. */
  async function reach({ config, folder }: SshServer, host: string) {
    const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true), sshConfig: config })
    onTestFinished(() => places.close())
    const reached = await places.reach({ kind: 'ssh', host, port: null })
    return reached.ok ? { ok: true, home: await reached.value.createEnvironment(folder).fileExists('home') } : reached
  }

  test('a host behind a jump host is reached through it', async () => {
    const ssh = await server()
    const port = /Port (\d+)/u.exec(readFileSync(ssh.config, 'utf8'))?.[1] ?? ''
    const behind = [
      'HostName 127.0.0.1',
      `Port ${port}`,
      `IdentityFile ${join(ssh.folder, 'user')}`,
      `UserKnownHostsFile ${join(ssh.folder, 'known')}`,
    ]
    appendFileSync(ssh.config, `Host behind\n  ProxyJump box\n${behind.map((line) => `  ${line}\n`).join('')}`)
    expect(await reach(ssh, 'behind')).toEqual({ ok: true, home: true })
    const words = processesNaming(ssh.config).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'))
    expect(words.filter((all) => all.includes('-W') && all.includes(`[127.0.0.1]:${port}`) && all.includes('box'))).toHaveLength(1)
  })

  test('a key that only the user’s agent has is used, and the agent is not forwarded', async () => {
    const ssh = await server()
    const socket = join(ssh.folder, 'agent')
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
    onTestFinished(() => void agent.kill())
    await vi.waitUntil(() => existsSync(socket), { timeout: 10_000 })
    execFileSync('ssh-add', ['-q', join(ssh.folder, 'user')], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
    rmSync(join(ssh.folder, 'user'))
    writeFileSync(ssh.config, readFileSync(ssh.config, 'utf8').replaceAll(/ {2}Identit.*\n/gu, ''))
    vi.stubEnv('SSH_AUTH_SOCK', '')
    expect(await reach(ssh, 'box')).toMatchObject({ failure: { what: expect.stringContaining('Permission denied') } })
    vi.stubEnv('SSH_AUTH_SOCK', socket)
    expect(await reach(ssh, 'box')).toEqual({ ok: true, home: true })
    // Programs there cannot use the key.
    const daemons = processesNaming(`daemon\0${ssh.home}`).map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'))
    expect([daemons.length, daemons.filter((environ) => environ.includes('SSH_AUTH_SOCK'))]).toEqual([1, []])
  })
})
