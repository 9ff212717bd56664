import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { recoverCopies } from '../../../main/environment/copy/apply-journal.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { PROCESS_SPACE } from '../../../main/environment/temporary-folder.ts'
import { hasNoCopies, openCopies } from './support.ts'

function session() {
  const { folder, layers } = openCopies({ a: '1' })
  const copies = createLocalCommandCopies({ folder, layers, keepsTemporary: true })
  onTestFinished(() => copies.cleanup())
  const run = async (command: string): Promise<string> => {
    const ended = await copies.run(command)
    await ended.drop()
    return ended.result.stdout + ended.result.stderr
  }
  return { folder, layers, copies, run }
}

describe.skipIf(hasNoCopies)('/tmp in the copies of a session', () => {
  it('is kept from one command to the next, and nobody else sees it', async () => {
    const { run, copies, layers } = session()
    const name = `kept-${process.pid}`
    await run(`mkdir /tmp/${name}; echo one > /tmp/${name}/f; mktemp > /tmp/made`)
    expect(await run(`cat /tmp/${name}/f; test -f "$(cat /tmp/made)" && echo there`)).toBe('one\nthere\n')
    expect(existsSync(`/tmp/${name}`)).toBe(false)
    expect([await copies.keeps(`/tmp/${name}`), await copies.keeps('/tmp/other'), await copies.keeps('/etc')]).toEqual([true, false, false])
    const other = createLocalCommandCopies({ folder: join(layers, '..', '..', 'project'), layers, keepsTemporary: true })
    onTestFinished(() => other.cleanup())
    const ended = await other.run(`ls /tmp/${name}`)
    await ended.drop()
    expect(ended.result.stderr).toContain('No such file')
  })

  it('is shared by commands that run at the same time', async () => {
    const { run } = session()
    await run('true')
    const [, seen] = await Promise.all([
      run('sleep 0.1; echo x > /tmp/flag'),
      run('until [ -f /tmp/flag ]; do sleep 0.02; done; cat /tmp/flag'),
    ])
    expect(seen).toBe('x\n')
  })

  it('a link in it neither shows the copies’ folder nor lets a command write to the real project folder', async () => {
    const { run, folder, layers } = session()
    await run(`ln -s ${layers} /tmp/copies; ln -s /etc/shadow /tmp/shadow; ln -s ${folder} /tmp/project`)
    expect(await run('ls /tmp/copies/')).not.toContain('copy-')
    await run('echo 2 > /tmp/project/a')
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('1')
    expect(await run('cat /tmp/project/a')).toBe('1')
  })

  it('nothing is written through a link in it that takes the place of the mounted project folder', async () => {
    vi.stubEnv('TMPDIR', '/tmp')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { run, folder } = session()
    expect(folder.startsWith('/tmp/')).toBe(true)
    const top = folder.split('/')[2] ?? ''
    await run(`cd /; mv /tmp/${top} /tmp/moved; ln -s /etc /tmp/${top}`)
    await run('echo 2 > a').catch((error: unknown) => expect(error).toMatchObject({ code: 'ENOCOPY' }))
    expect([readFileSync(join(folder, 'a'), 'utf8'), existsSync('/etc/a')]).toEqual(['1', false])
  })

  it('counts toward the limit of what a command may write', async () => {
    const { copies } = session()
    const ended = await copies.run('dd if=/dev/zero of=/tmp/big bs=1M count=64 status=none; sleep 60', {
      maxBytes: 16 * 1024 ** 2,
      timeoutMs: 60_000,
    })
    await ended.drop()
    expect(ended.stopped).toContain('16 MB into its copy of the folder and /tmp')
  })

  it('is deleted with the session, whatever its permissions', async () => {
    const { copies, layers, run } = session()
    await run('mkdir -p /tmp/x/y; chmod 0 /tmp/x/y /tmp/x')
    expect(readdirSync(layers)).toHaveLength(1)
    expect(statSync(join(layers, readdirSync(layers)[0] ?? '')).mode & 0o7777).toBe(0o1777)
    await copies.cleanup()
    expect(readdirSync(layers)).toEqual([])
  })

  it('is removed by the next launch if the app ended without removing it', async () => {
    const { layers } = session()
    mkdirSync(join(layers, `temp-4194303.${PROCESS_SPACE}-aaaaaaaaaaaa`, 'x'), { recursive: true })
    expect(await recoverCopies(layers)).toEqual([])
    expect(readdirSync(layers)).toEqual([])
  })
})
