import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { confineIn } from '../../main/hooks/confined-hooks.ts'
import { createUnconfinedHooks } from '../../main/hooks/unconfined-hooks.ts'
import type { HookRun } from '../../shared/session/hooks.ts'
import type { RigOptions } from '../agent/support/rig.ts'
import { only, read, rigFor, type Scripted } from '../agent/support/scripted-rig.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { calls, say } from '../support/scripted-model.ts'
import { hook } from './support/hook.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a turn with one read in a folder with a control file. These hooks run before the read. */
async function ran(options: RigOptions): Promise<Scripted & { readonly run: HookRun | undefined }> {
  const scripted = await rigFor([calls(read('a.txt')), say('Done.')], { inCopies: true, mode: 'auto', ...options })
  writeFileSync(join(scripted.rig.folder, 'a.txt'), 'a')
  writeFileSync(join(scripted.rig.folder, 'package.json'), '{}')
  scripted.rig.session.submit('go')
  await scripted.rig.session.idle()
  return { ...scripted, run: only(scripted.rig, 'HOOK_RAN')[0] }
}

const elsewhere = `/var/tmp/countersign-hook-${process.pid}`
const writing = hook('PreToolUse', `cat > seen; echo x > ${elsewhere}; echo y > package.json; echo z > AGENTS.md; exit 0`)

describe.skipIf(hasNoCopies)('a hook', { timeout: 60_000 }, () => {
  test('writes only in the folder, and not to control files, and is logged as confined', async () => {
    const { rig, run } = await ran({ hooks: [writing] })
    expect(JSON.parse(readFileSync(join(rig.folder, 'seen'), 'utf8'))).toMatchObject({ tool_name: 'Read' })
    expect([existsSync(elsewhere), readFileSync(join(rig.folder, 'package.json'), 'utf8')]).toEqual([false, '{}'])
    expect(existsSync(join(rig.folder, 'AGENTS.md'))).toBe(false)
    expect(run).toMatchObject({ outcome: 'passed', isConfined: true, says: expect.stringContaining('AGENTS.md') })
  })

  test('can write anywhere if the user has exempted it from confinement', async () => {
    onTestFinished(() => rmSync(elsewhere, { force: true }))
    const { rig, run } = await ran({ hooks: [writing], unconfinedHooks: [writing] })
    expect([existsSync(elsewhere), readFileSync(join(rig.folder, 'package.json'), 'utf8')]).toEqual([true, 'y\n'])
    expect(run).not.toHaveProperty('isConfined')
  })

  test('of the user can run programs in the user’s settings folder, which is otherwise hidden', async () => {
    const scripts = temporaryFolder('scripts')
    writeFileSync(join(scripts, 'guard.sh'), '#!/bin/sh\necho no >&2; exit 2\n', { mode: 0o755 })
    const guard = hook('PreToolUse', join(scripts, 'guard.sh'))
    expect((await ran({ hooks: [guard], hookScripts: [scripts] })).run).toMatchObject({ outcome: 'blocked', says: 'no' })
    const ofProject = { ...guard, from: 'project' } as const
    expect((await ran({ hooks: [ofProject], hookScripts: [scripts] })).run).toMatchObject({ outcome: 'failed' })
  })

  const inBash = hook('PreToolUse', `bash -c 'cat > /dev/null'`)
  test.each([
    ['confined', []],
    ['exempted', [inBash]],
  ])('with %s does not run the user’s .bashrc', async (_, unconfinedHooks) => {
    const home = temporaryFolder('home')
    writeFileSync(join(home, '.bashrc'), 'echo from bashrc >&2; exit 2\n')
    vi.stubEnv('HOME', home)
    // An app that no shell started has no SHLVL.
    vi.stubEnv('SHLVL', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await ran({ hooks: [inBash], unconfinedHooks })).run).toMatchObject({ outcome: 'passed', says: '' })
  })

  test('reaches no server, and the failure says how to exempt the hook from confinement', async () => {
    let asked = 0
    const server = createServer((_, response) => void (asked++, response.end()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const connect = hook('PreToolUse', `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`)
    const { rig } = await rigFor([calls(read('a.txt')), say('Done.')], { inCopies: true, mode: 'full', hooks: [connect] })
    rig.session.submit('go')
    await expect.poll(() => only(rig, 'HOOK_RAN')[0]).toMatchObject({ outcome: 'failed', says: expect.stringContaining('full rights') })
    expect(asked).toBe(0)
  })

  test('that times out leaves no process', async () => {
    const { rig } = await rigFor([calls(read('a.txt')), say('Done.')], {
      inCopies: true,
      mode: 'full',
      hooks: [hook('PreToolUse', '(while :; do date +%s%N > beat; sleep 0.05; done) & sleep 60', '', 4_000)],
    })
    rig.session.submit('go')
    await expect.poll(() => only(rig, 'HOOK_RAN')[0]).toMatchObject({ outcome: 'failed' })
    const beat = (): string => readFileSync(join(rig.folder, 'beat'), 'utf8')
    const last = beat()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(beat()).toBe(last)
  })
})

const environment = createLocalExecutionEnvironment('/')

test('a hook does not run if nothing may run for real and confinement is impossible', async () => {
  const free = createUnconfinedHooks({ read: () => null, write: () => {} })
  const confine = confineIn({ environment, folder: '/', copies: null, isSandboxRequired: true }, { free, home: null })
  await expect(confine(writing)).rejects.toThrow('--sandbox require')
})

test('a hook with full rights does not run in a layer, and the reason is the layer', async () => {
  const free = createUnconfinedHooks({ read: () => null, write: () => {} })
  free.set('/', writing, true, [])
  const confine = confineIn({ environment, folder: '/', copies: null, isSandboxRequired: true, isLayer: true }, { free, home: null })
  await expect(confine(writing)).rejects.toThrow('cannot run in the layer over the folder in which this session works')
})

test('exemptions of hooks are shared by all processes, and an exemption of a project’s hook applies only in that project’s folder', () => {
  let kept: unknown = 'broken'
  const file = { read: () => kept, write: (value: unknown) => void (kept = value) }
  const mine = hook('Stop', 'mine')
  const ours = { ...hook('Stop', 'ours'), from: 'project' } as const
  const first = createUnconfinedHooks(file)
  for (const one of [mine, ours]) first.set('/a', one, true, [])
  const again = createUnconfinedHooks(file)
  expect([again.has('/b', mine), again.has('/a', ours), again.has('/b', ours)]).toEqual([true, true, false])
  expect(again.has('/a', { ...ours, command: 'ours; rm x' })).toBe(false)
  again.set('/a', ours, false, [])
  // Two processes use the same file, and each sees the other's decision.
  expect([first.has('/a', ours), first.has('/b', mine)]).toEqual([false, true])
  kept = null
  expect(first.has('/b', mine)).toBe(false)
})

test('a decision about a hook takes effect in the current process even if it cannot be stored', () => {
  const mine = hook('Stop', 'mine')
  let kept: unknown = null
  createUnconfinedHooks({ read: () => null, write: (value) => void (kept = value) }).set('/a', mine, true, [])
  const full = createUnconfinedHooks({ read: () => kept, write: () => {} })
  expect(full.has('/a', mine)).toBe(true)
  full.set('/a', mine, false, [])
  expect(full.has('/a', mine)).toBe(false)
})
