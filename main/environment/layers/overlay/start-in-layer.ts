import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { ConfineOptions } from '../../../agent/ports/command-copies.ts'
import { linkLowers, relink } from '../../copy/overlay-layer.ts'
import { deniedPlaces } from '../../copy/start/denied-places.ts'
import { openHostProxy } from '../../copy/start/host-proxy.ts'
import { openLocalPorts } from '../../copy/start/local-ports.ts'
import { prepareLaunch } from '../../copy/start/launch.ts'
import { toolPath, viewOf, type WritablePlace } from '../../copy/start/sandbox-view.ts'
import { ownProgram } from '../../own-programs/own-programs.ts'
import { isInside } from '../../../is-inside.ts'
import { attempted, startFailure } from '../../process/start-failure.ts'
import { type DurableLayer, folderOf, frozenBelow, makeUpper, touch } from './durable-layer.ts'
import { followStart, type RunningInLayer } from './running-in-layer.ts'

/** `onHost` is called for each connection, because programs in a layer run for long and the answer may change. */
export interface LayerStart extends Omit<ConfineOptions, 'owner'> {
  /** As the program sees it. If left out, the folder. */
  readonly workingDir?: string
  /** All variables of the program. */
  readonly env: Readonly<Record<string, string>>
  /** TCP ports of this machine that programs reach at `127.0.0.1`. If left out, there are none. */
  readonly localPorts?: readonly number[]
  /** Folders and files outside of the folder that the program may change although they are hidden otherwise. Missing ones are ignored. */
  readonly writable?: readonly string[]
  /** Ends the program when it aborts. */
  readonly signal?: AbortSignal
  /** Called when every process has ended, before the end is reported. */
  readonly onEnd?: () => Promise<void>
}

export interface StartParts {
  readonly layer: DurableLayer
  /** Real path. Null if there is none. */
  readonly home: string | null
  /**
   * The folder of another disk or at least outside of home that keeps what programs write below home. Null if home is read-only.
   */
  readonly scratch: string | null
  /** Folders of Countersign that no program may see. */
  readonly ours: readonly string[]
  /** Whether the user is root and all users are mapped, so that programs can change files of every user. */
  readonly mapsEverybody: boolean
}

/**
 * Starts a program in a layer. It sees the folder at the folder's own path, with the layer's changes, and otherwise what a command in a
 * copy sees. Every process inside ends with it and with this process. Rejects with `ENOLAYER` if the program could not be started in the
 * layer: it has then not run at all, in particular not in the real folder.
 */
export async function startInLayer(parts: StartParts, argv: readonly [string, ...string[]], start: LayerStart): Promise<RunningInLayer> {
  const { layer } = parts
  const folder = await folderOf(layer)
  await makeUpper(layer)
  const name = `.countersign-probe-${randomBytes(8).toString('hex')}`
  const probe = join(layer.up, name)
  const ways = await openWays(layer, start)
  try {
    const prepared = await prepare(parts, { folder, probe: join(folder, name), ways, start })
    await Promise.all([
      writeFile(probe, '', { flag: 'wx', mode: 0o600 }),
      touch(layer.fresh),
      ...LEFT_BY_EARLIER.map((left) => rm(join(layer.path, left), { force: true })),
    ])
    const [file, ...args] = argv
    const { cwd, env, ...program } = prepared({ file, args, env: start.env, cwd: folder })
    const tried = attempted(() =>
      spawn(program.file, program.args, {
        cwd,
        env,
        detached: true,
        // The last one is never used. It ends when this process does.
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      }),
    )
    if (!tried.ok) throw await startFailure(tried.failure, program.file, cwd)
    const child = tried.value
    // Node throws away what nobody has read when a program ends.
    const stdout = child.stdout.pipe(new PassThrough())
    const stderr = child.stderr.pipe(new PassThrough())
    return await followStart({
      layer,
      folder,
      child,
      stdout,
      stderr,
      probe,
      blocked: ways.blocked,
      async onEnd() {
        await ways.close()
        await start.onEnd?.().catch(() => {})
      },
      signal: start.signal,
    })
  } catch (error) {
    await ways.close()
    throw error
  } finally {
    await rm(probe, { force: true })
  }
}

/** What an earlier start wrote about its own end. */
const LEFT_BY_EARLIER = ['status', 'failed-folder', 'failed-home'] as const

/** Without socat, nothing inside could reach the proxy or a port of this machine. */
async function openWays({ path }: DurableLayer, start: LayerStart) {
  const canForward = ownProgram('socat') !== null
  const asksHosts = (start.hosts?.length ?? 0) > 0 || start.onHost !== undefined
  const wanted = canForward ? (start.localPorts ?? []) : []
  // A killed process leaves its sockets behind.
  await Promise.all(['proxy', ...wanted.map((port) => `port-${port}`)].map((name) => rm(join(path, name), { force: true })))
  const proxy = asksHosts && canForward ? await openHostProxy(path, { ...start, remembers: false }) : null
  const ports = await openLocalPorts(path, wanted)
  return {
    proxy: proxy?.socket ?? null,
    ports: ports.sockets,
    blocked: () => proxy?.blocked ?? [],
    async close() {
      await proxy?.close()
      await ports.close()
    },
  }
}

interface Prepare {
  readonly folder: string
  /** As the program sees it. */
  readonly probe: string
  readonly ways: Awaited<ReturnType<typeof openWays>>
  readonly start: LayerStart
}

async function prepare({ layer, home, scratch, ours, mapsEverybody }: StartParts, { folder, probe, ways, start }: Prepare) {
  const lowers = await linkLowers(layer, await frozenBelow(layer))
  const isHomeWritable = home !== null && scratch !== null
  if (isHomeWritable) await Promise.all([relink(home, join(layer.path, 'home')), relink(scratch, join(layer.path, 'scratch'))])
  const seen = { folder, home, ours }
  const writable = await writablePlaces(layer, isHomeWritable ? home : null, start.writable ?? [])
  const [view, denied] = await Promise.all([
    viewOf({
      ...seen,
      isHomeWritable,
      path: toolPath(),
      temporary: layer.temporary,
      empty: layer.empty,
      visible: start.visible,
      writable,
    }),
    deniedPlaces({ folder, source: folder, home, patterns: start.denied ?? [], cover: layer.cover }),
  ])
  return prepareLaunch(
    {
      layer,
      durable: { probe },
      lowers,
      folder,
      home: isHomeWritable ? home : null,
      view: view.arguments,
      denied: denied.arguments,
      proxy: ways.proxy,
      ports: ways.ports,
      inTerminal: false,
      state: null,
      mapsEverybody,
    },
    start.workingDir ?? folder,
  )
}

/**
 * The folders and files that programs may change outside of the folder. If home is covered, a folder below it is mounted aside first
 * (`launch.ts`), so that its changes are kept.
 */
async function writablePlaces(
  { path: at }: DurableLayer,
  home: string | null,
  paths: readonly string[],
): Promise<readonly WritablePlace[]> {
  const earlier = (await readdir(at)).filter((name) => name.startsWith('kept-'))
  await Promise.all(earlier.map((name) => rm(join(at, name), { recursive: true, force: true })))
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)))
  const places: WritablePlace[] = []
  for (const [index, path] of paths.entries()) {
    const isFolder = found[index]?.isDirectory()
    if (isFolder === undefined) continue
    const isCovered = isFolder && home !== null && isInside(home, path)
    const aside = join(at, `kept-${index}`)
    if (isCovered) {
      await mkdir(aside)
      await symlink(path, `${aside}-from`)
    }
    places.push({ path, from: isFolder ? (isCovered ? aside : path) : null })
  }
  return places
}
