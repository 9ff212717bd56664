import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROOF } from '../../../main/environment/copy/start/launch.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { hasNoCopies, ownHome, processesWith } from '../copy/support.ts'
import { failureOf, plant } from '../support.ts'
import { openOverlayLayers, openShell, SESSION, shown } from './support.ts'

const made = async (files: Readonly<Record<string, string>> = { a: 'A' }) => {
  const overlay = openOverlayLayers(files)
  await overlay.layers.make(SESSION, AbortSignal.timeout(60_000))
  return overlay
}

const ENV = { PATH: '/usr/bin:/bin' }
const START = { env: ENV } as const

/** Returns the exit code of a start that touches `seen` if it is proven to stand in the layer. */
function proveAndTouch(folder: string, probe: string, isOwnerAlive = true): number | null {
  const begin = isOwnerAlive ? '' : 'exec 3< <(:); wait $!;'
  const args = ['--norc', '-c', `${begin} ${PROOF} exec "$@"`, 'x', join(folder, probe), 'touch', 'seen']
  return spawnSync('bash', args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }).status
}

describe.skipIf(hasNoCopies)('a start in a layer', () => {
  it.each([
    {
      name: 'the layer has no work folder',
      because: /could not be started in the session's layer: .*mount/u,
      spoil: (layer: string) => renameSync(join(layer, 'work'), join(layer, 'lost')),
    },
    {
      name: 'the upper folder is a file',
      because: /EEXIST|ENOTDIR/u,
      spoil: (layer: string) => (renameSync(join(layer, 'up'), join(layer, 'lost')), writeFileSync(join(layer, 'up'), '')),
    },
  ])('never runs in the real folder if $name', async ({ spoil, because }) => {
    const { layers, folder, up } = await made()
    spoil(dirname(up))
    await expect(layers.start(SESSION, ['bash', '-c', 'touch seen'], START)).rejects.toThrow(because)
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('runs nothing in a folder without the probe', async () => {
    const { folder } = await made()
    expect(proveAndTouch(folder, 'probe')).toBe(125)
    expect(readdirSync(folder)).toEqual(['a'])
    expect(proveAndTouch(folder, 'a')).toBe(0)
    expect(readdirSync(folder)).toEqual(['seen'])
  })

  it('runs nothing if Countersign was killed before everything inside ends with it', async () => {
    const { folder } = await made()
    expect(proveAndTouch(folder, 'a', false)).toBe(125)
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('is killed when Countersign ends, even if nothing else would kill it', async () => {
    const { folder } = await made()
    const inside = ['bash', '--norc', '-c', `${PROOF} echo runs; exec "$@"`, 'x', join(folder, 'a'), 'sleep', '600']
    const args = ['--user', '--map-root-user', '--pid', '--fork', 'bash', '-c', '"$@"; exit 3', 'first', ...inside]
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] })
    const closed = once(child, 'close')
    if (child.stdout === null) throw new Error('There is no output.')
    await once(child.stdout, 'data')
    // The end of Countersign closes this pipe.
    child.stdio[3]?.destroy()
    expect(await closed).toEqual([3, null])
  })

  it('leaves no trace of the proof', async () => {
    const { layers, up, folder } = await made()
    const shell = await openShell(layers)
    expect(await shell.ask('ls -A')).toBe('a')
    expect([readdirSync(up), readdirSync(folder)]).toEqual([[], ['a']])
  })

  it('is refused while another program runs in the layer, and possible after that', async () => {
    const { layers, create } = await made()
    const shell = await openShell(layers)
    const code = 'ENOLAYER'
    expect(await failureOf(layers.start(SESSION, ['true'], START))).toMatchObject({ code })
    // Another window of the same process shares the owner, but another process would not.
    await shell.close()
    const again = await create().start(SESSION, ['true'], START)
    expect(await again.ended).toBe(0)
    expect(await failureOf(layers.start(SessionId.parse('none'), ['true'], START))).toMatchObject({ code })
  })

  it('ends with everything that the program has started', async () => {
    const { layers } = await made()
    const shell = await openShell(layers)
    await shell.ask('setsid sleep 4713 </dev/null >/dev/null 2>&1 & nohup sleep 4713 </dev/null >/dev/null 2>&1 & sleep 0.1')
    expect(processesWith('sleep\u00004713')).toHaveLength(2)
    await shell.close()
    expect(processesWith('sleep\u00004713')).toEqual([])
  })

  it('ends everything also when the program itself ends, and tells how', async () => {
    const { layers } = await made()
    const running = await layers.start(SESSION, ['bash', '-c', 'sleep 4714 & exit 7'], START)
    expect(await running.ended).toBe(7)
    expect(processesWith('sleep\u00004714')).toEqual([])
  })

  it('loses nothing of what a short program prints', async () => {
    const { layers } = await made()
    const running = await layers.start(SESSION, ['bash', '--norc', '-c', 'echo out; echo err >&2'], START)
    await running.ended
    expect((await running.stdout.setEncoding('utf8').toArray()).join('')).toBe('out\n')
    expect((await running.stderr.setEncoding('utf8').toArray()).join('')).toBe('err\n')
  })

  it('ends when its signal aborts', async () => {
    const { layers } = await made()
    const abort = new AbortController()
    const running = await layers.start(SESSION, ['sleep', '4715'], { ...START, signal: abort.signal })
    abort.abort()
    expect(await running.ended).toBe(null)
    expect(processesWith('sleep\u00004715')).toEqual([])
  })
})

describe.skipIf(hasNoCopies)('what a program in a layer sees', () => {
  it('is what a copy sees: no secrets, no data of Countersign, its own /tmp, no network', async () => {
    const home = ownHome()
    plant(home, { '.ssh/id': 'secret', '.tool/config': 'config', 'other/work': 'work' })
    const { layers, base } = await made()
    const shell = await openShell(layers)
    expect(await shell.ask(`cat ${home}/.ssh/id ${home}/other/work`)).toMatch(/No such file/u)
    expect(await shell.ask(`cat ${home}/.tool/config; touch ${home}/.tool/x; ls ${home}/.tool`)).toBe('config' + 'config\nx')
    expect(readdirSync(join(home, '.tool'))).toEqual(['config'])
    expect(await shell.ask(`ls -A ${base}/data 2>/dev/null || true`)).toBe('')
    await shell.ask('echo kept > /tmp/countersign-layer-test')
    expect(existsSync('/tmp/countersign-layer-test')).toBe(false)
    const server = createServer((_, answer) => answer.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await shell.ask(`(exec 3<>/dev/tcp/127.0.0.1/${port} && echo open) 2>&1`)).toMatch(/refused/u)
    await shell.close()
    const granted = await layers.start(
      SESSION,
      ['bash', '--norc', '-c', `cat /tmp/countersign-layer-test; exec 3<>/dev/tcp/127.0.0.1/${port} && echo open`],
      {
        ...START,
        localPorts: [port],
      },
    )
    const text = (await granted.stdout.setEncoding('utf8').toArray()).join('')
    server.close()
    expect(text).toBe('kept\nopen\n')
  })

  it('can be made visible', async () => {
    const { layers, base } = await made()
    plant(base, { 'tool/program': 'echo it' })
    const running = await layers.start(SESSION, ['bash', join(base, 'tool', 'program')], { ...START, visible: [join(base, 'tool')] })
    expect((await running.stdout.setEncoding('utf8').toArray()).join('')).toBe('it\n')
  })

  it('does not run the user’s start files, neither inside nor outside', async () => {
    const home = ownHome()
    plant(home, { '.bashrc': `touch ${home}/ran` })
    const { layers } = await made()
    const running = await layers.start(SESSION, ['true'], { env: { ...ENV, HOME: home } })
    expect(await running.ended).toBe(0)
    expect(readdirSync(home)).toEqual(['.bashrc'])
  })
})

describe.skipIf(hasNoCopies)('a fork', () => {
  const FORK = SessionId.parse('ses_fork')

  it('begins with what is in the layer, and neither changes the other', async () => {
    const { layers, blobs, folder, up } = await made({ a: 'A', b: 'B', 'dir/c': 'C' })
    const first = await openShell(layers)
    await first.ask('printf first > a; rm -r dir; mkdir dir; printf new > dir/d')
    await first.close()
    await layers.fork(SESSION, FORK)
    const fork = await openShell(layers, FORK)
    expect(await fork.ask('cat a; ls dir')).toBe('firstd')
    await fork.ask('printf fork > a; rm b; rm dir/d')
    const again = await openShell(layers)
    expect(await again.ask('cat a b dir/d')).toBe('firstBnew')
    await again.ask('printf later > b; printf back > dir/c')
    const text = async (id: SessionId) =>
      (await layers.changes(id)).files.map(
        ({ path, base, own }) => `${path}: ${base ? blobs.text(base.hash) : '-'} → ${own ? blobs.text(own.hash) : '-'}`,
      )
    expect(await text(FORK)).toEqual(['a: A → fork', 'b: B → -', 'dir/c: C → -'])
    expect(await text(SESSION)).toEqual(['a: A → first', 'b: B → later', 'dir/c: C → back', 'dir/d: - → new'])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('A')
    await layers.remove(SESSION)
    expect(await text(FORK)).toEqual(['a: A → fork', 'b: B → -', 'dir/c: C → -'])
    expect(existsSync(dirname(up))).toBe(false)
    await layers.remove(FORK)
    expect(readdirSync(join(dirname(dirname(up)), '..', 'frozen-layers'))).toEqual([])
  })

  it('of a layer in which a program runs begins with what is in it at that moment', async () => {
    const { layers } = await made({ a: 'A', b: 'B', 'dir/c': 'C' })
    const first = await openShell(layers)
    await first.ask('printf first > a; rm b; rm -r dir; mkdir dir; printf new > dir/d')
    await layers.fork(SESSION, FORK)
    await first.ask('printf later > a; printf back > b')
    const fork = await openShell(layers, FORK)
    expect(await fork.ask('cat a dir/*; ls')).toBe('firstnewa\ndir')
    expect(await first.ask('cat a b')).toBe('laterback')
  })

  it('over a layer differs from that layer, not from the folder', async () => {
    const { layers, blobs, folder } = await made({ a: 'A', b: 'B' })
    const below = await openShell(layers)
    await below.ask('printf below > a; printf new > n')
    const over = layers.over(SESSION)
    await over.make(FORK, AbortSignal.timeout(60_000))
    const fork = await openShell(layers, FORK)
    expect(await fork.ask('cat a b n')).toBe('belowBnew')
    await fork.ask('printf A > a; printf over > b; rm n; printf own > o')
    const text = async () => shown(await over.changes(FORK), blobs)
    expect(await text()).toEqual({ a: 'below → A', b: 'B → over', n: 'new → none', o: 'none → own' })
    await below.ask('printf A > a; rm n')
    expect(await text()).toEqual({ b: 'B → over', o: 'none → own' })
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('A')
  })

  it('of a fork', async () => {
    const { layers, blobs } = await made({ a: 'A' })
    const ids = ['one', 'two', 'three'].map((name) => SessionId.parse(name))
    for (const [index, id] of ids.entries()) {
      const from = ids[index - 1] ?? SESSION
      await layers.write(from, [{ path: `f${index}`, bytes: Buffer.from(`${index}`), mode: 0o644 }])
      await layers.fork(from, id)
    }
    const shell = await openShell(layers, ids[2])
    expect(await shell.ask('cat a f0 f1 f2; rm f1; ls')).toBe('A012a\nf0\nf2')
    const { files } = await layers.changes(ids[2] ?? SESSION)
    expect(files.map(({ path, own }) => [path, own && blobs.text(own.hash)])).toEqual([
      ['f0', '0'],
      ['f2', '2'],
    ])
  })
})
