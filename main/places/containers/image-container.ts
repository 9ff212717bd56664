import { basename } from 'node:path'
import { hostname, userInfo } from 'node:os'
import { failed, ok } from '../../../shared/lib/result.ts'
import type { NewContainer } from '../../../shared/places/new-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { keepAliveLine } from '../made/keep-alive.ts'
import type { MadePlace } from '../made/made-place.ts'
import { type Maker, MARKS } from '../made/maker.ts'
import { lastWords, runTool } from '../made/run-tool.ts'
import { parseAddress } from '../../../shared/places/address.ts'
import { containerCalls, containerState, removeContainer } from './container-state.ts'
import { containerEngine } from './container-engine.ts'
import { makeVolume, useVolume, volumeMount } from './container-volume.ts'

/** Time limit in ms for starting a container, including the time to fetch its image. */
const START_MS = 20 * 60_000
/** The home folder in a container that runs as a user who is unknown to its image. It is in memory. */
const HOME = '/tmp/countersign-home'

/**
 * Makes a separate container for a session from an image, with `docker` or `podman`. The folder is mounted, so changes reach its real
 * files. The container is removed when it ends. `leaseS`: it ends by itself if its lease was not renewed for this long, in s.
 */
export function imageContainers(leaseS: number): Maker<NewContainer> {
  return {
    async plan({ from, name, folder }) {
      const engine = await containerEngine()
      if (!engine.ok) return engine
      return /[,"\n]/u.test(folder)
        ? failed(cannotMount(folder))
        : ok({ from, place: { kind: 'container', name }, inside: insideOf(folder) })
    },
    async ensure(made, { image }, { report, signal }) {
      const engine = await containerEngine()
      if (!engine.ok) return engine
      const isNew = (await containerState(engine.value, made)).kind !== 'running'
      if (isNew) {
        // The engine removes a container when it stops, so one that still exists did not end properly.
        await removeContainer(engine.value, made)
        await makeVolume(engine.value, made)
        report(`Starting a container from ${image}. An image that is not on this computer is fetched first.`)
        const ran = await runTool(engine.value, await runArguments(engine.value, made, image, leaseS), {
          timeoutMs: START_MS,
          ...(signal && { signal }),
        })
        // If this fails, a container that was left is removed by the next attempt.
        if (ran.failure !== null && (await containerState(engine.value, made)).kind !== 'running') {
          signal?.throwIfAborted()
          return failed(notStarted(made, image, lastWords(ran)))
        }
      }
      // This also checks a container that already runs: the process that started it may have been killed before this check.
      if (!(await hasHome(engine.value, made))) {
        await removeContainer(engine.value, made)
        return failed(withoutHome(image))
      }
      if (isNew) await useVolume(engine.value, made)
      return ok({ isNew })
    },
    ...containerCalls,
  }
}

/** The path where the folder is mounted, the same as in dev containers. */
const insideOf = (folder: string): string => `/workspaces/${basename(folder) || 'folder'}`

async function runArguments(engine: string, made: MadePlace, image: string, leaseS: number): Promise<readonly string[]> {
  const { name, folder, address } = made
  const inside = parseAddress(address).folder
  const labels = { [MARKS.session]: name, [MARKS.folder]: folder, [MARKS.owner]: `${userInfo().username}@${hostname()}` }
  return [
    'run',
    '--detach',
    '--rm',
    '--name',
    name,
    ...Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]),
    '--mount',
    `type=bind,source=${folder},target=${inside}`,
    '--mount',
    volumeMount(made),
    // Otherwise, SELinux hides the folder, and relabeling the user's files would be worse.
    '--security-opt',
    'label=disable',
    ...(await userArguments(engine)),
    '--workdir',
    inside,
    '--entrypoint',
    'sh',
    image,
    '-c',
    keepAliveLine(leaseS),
  ]
}

/**
 * Options that make new files in the mounted folder belong to the user. On macOS and Windows, and if the engine is rootless, none are
 * needed.
 */
async function userArguments(engine: string): Promise<readonly string[]> {
  const uid = process.getuid?.() ?? 0
  if (process.platform !== 'linux' || uid === 0) return []
  const home = ['--tmpfs', `${HOME}:exec,mode=1777`, '--env', `HOME=${HOME}`]
  const isPodman = (await runTool(engine, ['--version'])).stdout.toString('utf8').includes('podman')
  if (isPodman) return ['--userns', 'keep-id', ...home]
  const { stdout } = await runTool(engine, ['info', '--format', '{{.SecurityOptions}}'])
  return stdout.includes('rootless') ? [] : ['--user', `${uid}:${process.getgid?.() ?? uid}`, ...home]
}

/**
 * Whether the user of a running container has a home folder for our code. A user who is unknown to the image has the root folder as home, or
 * with podman the mounted project folder, where we must not write.
 */
async function hasHome(engine: string, { name, address }: MadePlace): Promise<boolean> {
  const line = '[ -w "$HOME" ] && [ "$HOME" != "$1" ] || echo none'
  const { stdout } = await runTool(engine, ['exec', name, 'sh', '-c', line, 'sh', parseAddress(address).folder])
  return stdout.toString('utf8').trim() !== 'none'
}

const withoutHome = (image: string): Trouble => ({
  code: 'container_without_home',
  what: `The user of the image ${image} has no home folder with write access.`,
  kept: 'Nothing was installed, and the folder is unchanged.',
  todo: 'Create the user with a home folder in the image (useradd --create-home), or use another image.',
})

const cannotMount = (folder: string): Trouble => ({
  code: 'folder_not_mountable',
  what: `${folder} cannot be mounted in a container, because its path contains a comma, a quote or a line break.`,
  kept: 'Nothing was made.',
  todo: 'Rename the folder, or work in it without a container.',
})

const notStarted = ({ name }: MadePlace, image: string, said: string): Trouble => ({
  code: 'container_not_started',
  what: `The container ${name} could not be started from ${image}. ${said}`.trim(),
  kept: 'The folder is unchanged.',
  todo: `Check that “docker run ${image} sh” or “podman run ${image} sh” works in a terminal, then try again.`,
})
