import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { SessionId } from '../../../shared/lib/ids.ts'
import { processesWith } from '../copy/support.ts'
import { openOverlayLayers } from './support.ts'

/** A part of the kills comes while the layers are made and the programs are started. */
const EARLY = 0.3
const EARLY_MS = 600
/** The other kills come soon after one of the first files. */
const FIRST_FILES = 25
const AFTER_FILE_MS = 30

/**
 * Works in several layers at once and tells about each file when it is written: by a program inside, from outside, and in forks of forks.
 * It goes on where the last one was killed.
 */
const scriptFor = (folder: string, data: string): string => `
  import { createHash } from 'node:crypto'
  import { createOverlayLayers } from ${JSON.stringify(new URL('../../../main/environment/layers/overlay/overlay-layers.ts', import.meta.url).href)}
  const put = async (bytes) => createHash('sha256').update(bytes).digest('hex')
  const layers = createOverlayLayers({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(join(data, 'layers'))},
    frozen: ${JSON.stringify(join(data, 'frozen'))}, hidden: [${JSON.stringify(data)}], missing: async () => null, put })
  const say = (line) => process.stdout.write(line + '\\n')
  const file = (path) => ({ path, bytes: Buffer.from(path), mode: 0o644 })
  const round = process.argv[2]
  const forks = JSON.parse(process.argv[3])
  const inside = async (id) => {
    await layers.makeIfMissing(id)
    const script = 'printf own > a; sleep 4716 & for ((n = 0; ; n++)); do printf %s f$1-$n > f$1-$n; echo f$1-$n; sleep 0.01; done'
    const running = await layers.start(id, ['bash', '--norc', '-c', script, 'x', round], { env: { PATH: '/usr/bin:/bin' } })
    running.stdout.setEncoding('utf8').on('data', (text) => text.split('\\n').filter(Boolean).forEach((line) => say('file ' + id + ' ' + line)))
    for (;;) await layers.mark(id)
  }
  const outside = async (id) => {
    await layers.makeIfMissing(id)
    for (let n = 0; ; n++) {
      const path = 'o' + round + '-' + n
      await layers.write(id, [{ path: 'a', bytes: Buffer.from('own'), mode: 0o644 }, file(path)])
      say('file ' + id + ' ' + path)
    }
  }
  const forked = async (id, depth) => {
    await layers.makeIfMissing(id)
    for (let n = depth; ; n++) {
      const path = 'k' + round + '-' + n
      await layers.write(id, [file(path)])
      say('file ' + id + ' ' + path)
      const next = id.split('.')[0] + '.' + round + '-' + n
      await layers.fork(id, next)
      say('fork ' + id + ' ' + next)
      id = next
    }
  }
  say('begun')
  await Promise.all([inside('in1'), inside('in2'), outside('out1'), outside('out2'), forked(forks.fork1, 0), forked(forks.fork2, 0)])
`

/** Kills the app at random moments while it works in six layers. Nothing may be lost, and nothing may be in the folder. */
export async function killAtRandomMoments(rounds: number): Promise<void> {
  const { base, folder } = openOverlayLayers({ a: 'A' })
  const data = join(base, 'kills')
  mkdirSync(data)
  const script = join(base, 'script.ts')
  writeFileSync(script, scriptFor(folder, data))
  const written = new Map<string, Set<string>>(['in1', 'in2', 'out1', 'out2', 'fork1', 'fork2'].map((id) => [id, new Set()]))
  const forks: Record<string, string> = { fork1: 'fork1', fork2: 'fork2' }
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, [script, String(round), JSON.stringify(forks)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    const closed = once(child, 'close')
    await once(child.stdout, 'data')
    const isEarly = Math.random() < EARLY
    const files = isEarly ? 0 : 2 + Math.random() * FIRST_FILES
    while (text.split('\n').length < files) await Promise.race([once(child.stdout, 'data'), closed])
    await Promise.race([delay(Math.random() * (isEarly ? EARLY_MS : AFTER_FILE_MS)), closed])
    expect(child.exitCode).toBe(null)
    child.kill('SIGKILL')
    await closed
    for (const line of text.split('\n').slice(0, -1)) note(line, written, forks)
    await check({ folder, data, written })
  }
  expect([...written.values()].flatMap((paths) => [...paths]).length).toBeGreaterThan(rounds)
}

function note(line: string, written: Map<string, Set<string>>, forks: Record<string, string>): void {
  const [kind, id = '', what = ''] = line.split(' ')
  if (kind === 'file') written.get(id)?.add(what)
  if (kind !== 'fork') return
  written.set(what, new Set(written.get(id)))
  forks[what.split('.')[0] ?? ''] = what
}

interface Killed {
  readonly folder: string
  readonly data: string
  readonly written: ReadonlyMap<string, ReadonlySet<string>>
}

async function check({ folder, data, written }: Killed): Promise<void> {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
  await expect.poll(() => processesWith('sleep\u00004716')).toEqual([])
  expect(readdirSync(folder)).toEqual(['a'])
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('A')
  const { createOverlayLayers } = await import('../../../main/environment/layers/overlay/overlay-layers.ts')
  const layers = createOverlayLayers({
    folder,
    layers: join(data, 'layers'),
    frozen: join(data, 'frozen'),
    hidden: [data],
    missing: () => Promise.resolve(null),
    put: (bytes) => Promise.resolve(hashOf(Buffer.from(bytes).toString()) as never),
  })
  for (const [id, paths] of written) {
    const { files } = await layers.changes(SessionId.parse(id))
    const own = new Map(files.map((change) => [change.path, change.own?.hash]))
    expect(
      [...paths].filter((path) => own.get(path) !== hashOf(path)),
      id,
    ).toEqual([])
    const a = files.find(({ path }) => path === 'a')
    expect(a === undefined || a.base?.hash === hashOf('A'), id).toBe(true)
  }
  expect(readdirSync(dirname(folder)).toSorted()).toEqual(['kills', 'project', 'script.ts'])
}
