import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Confined, ConfineOptions } from '../../../agent/ports/command-copies.ts'
import type { ProgramStart } from '../../../agent/ports/execution-environment.ts'
import { ownProgram } from '../../own-programs/own-programs.ts'
import type { Layer } from '../overlay-layer.ts'
import { deniedPlaces } from './denied-places.ts'
import { openHostProxy } from './host-proxy.ts'
import { BASH, closeDescriptorsAbove, environmentInside, INNER, SOCKET_INSIDE } from './launch.ts'
import { inNamespaces, isolation } from './namespaces.ts'
import { outsideVariables } from './outside-variables.ts'
import type { ControlGuard } from '../guard/control-guard.ts'
import type { PersistedGuard } from '../guard/persisted-guard.ts'
import { existing, existingBelow, toolPath, viewOf } from './sandbox-view.ts'

/**
 * Runs outside the sandbox, with the layer as its working directory. The arguments that define what commands see are in a file that
 * bubblewrap reads. The arguments of one particular start are passed to this script.
 */
const OUTER = `
${closeDescriptorsAbove(2)}
exec 9<arguments 7<filter
exec bwrap --args 9 "$@"
`

export interface ConfineParts {
  /** Real path of the folder in which commands may write. */
  readonly folder: string
  /** Real path of the folder that commands see at `folder`. */
  readonly source: string
  readonly home: string | null
  /** Folders of Countersign that no command may see. */
  readonly ours: readonly string[]
  readonly layer: Layer
  readonly guard: ControlGuard
  /** Whether the user is root and all users are mapped, so that commands can change files of every user. */
  readonly mapsEverybody: boolean
}

/**
 * Prepares command starts in the real folder. Commands see the same as in a copy, except that the folder has no overlay and that home is
 * read-only.
 */
export async function confine({ layer, guard, mapsEverybody, ...parts }: ConfineParts, options: ConfineOptions): Promise<Confined> {
  const asksHosts = (options.hosts?.length ?? 0) > 0 || options.onHost !== undefined
  // Without socat, nothing inside could reach the proxy.
  const wantsHosts = asksHosts && ownProgram('socat') !== null
  const { folder, source } = parts
  const [view, visible, closed, denied] = await Promise.all([
    viewOf({ ...parts, isHomeWritable: false, path: toolPath(), empty: layer.empty }),
    existing(options.visible ?? []),
    existingBelow(source, guard.closed),
    deniedPlaces({ ...parts, patterns: options.denied ?? [], cover: layer.cover }),
  ])
  const proxy = wantsHosts ? await openHostProxy(layer.path, options) : null
  const lines = [
    ...view.arguments,
    ...visible.flatMap(({ path }) => ['--ro-bind', path, path]),
    ...(source === folder ? [] : ['--bind', source, folder]),
    ...closed.flatMap((path) => ['--ro-bind', path, folder + path.slice(source.length)]),
    ...denied.arguments,
    ...(proxy === null ? [] : ['--bind', proxy.socket, SOCKET_INSIDE]),
    '--remount-ro',
    '/run',
    ...isolation(mapsEverybody, denied.paths.length > 0),
  ]
  let kept: PersistedGuard
  try {
    await writeFile(join(layer.path, 'arguments'), lines.map((line) => `${line}\0`).join(''))
    kept = await guard.keep(layer.path, options.owner ?? null)
  } catch (error) {
    await proxy?.close()
    throw error
  }
  // If only one user is mapped, bubblewrap creates the namespaces itself.
  const started = ([first = '', ...rest]: readonly string[]) =>
    mapsEverybody ? inNamespaces(true, [first, ...rest]) : { file: first, args: rest }
  const wrap = ({ file, args, cwd, env, inTerminal, pipes = [] }: ProgramStart) => {
    const outside = outsideVariables(environmentInside(env, proxy !== null))
    const start = started([
      '/bin/bash',
      ...BASH,
      OUTER,
      'confined',
      ...outside.options,
      ...(inTerminal ? [] : ['--new-session']),
      ...pipes.flatMap((path) => ['--bind', path, path]),
      '--chdir',
      cwd,
      '--',
      '/bin/bash',
      ...BASH,
      INNER,
      'confined',
      file,
      ...args,
    ])
    return { ...start, cwd: layer.path, env: outside.variables }
  }
  return {
    wrap,
    get blocked() {
      return proxy?.blocked ?? []
    },
    setAside: (since) => guard.setAside(since),
    suspect: kept.suspect,
    async close() {
      kept.close()
      await proxy?.close()
    },
  }
}
