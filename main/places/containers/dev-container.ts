import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { failed, ok } from '../../../shared/lib/result.ts'
import type { NewPlace } from '../../../shared/places/new-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { orNull } from '../../environment/environment-failure.ts'
import { ownProgram } from '../../environment/own-programs/own-programs.ts'
import { keepAliveLine } from '../made/keep-alive.ts'
import type { MadePlace } from '../made/made-place.ts'
import { type Maker, MARKS } from '../made/maker.ts'
import { lastWords, runTool } from '../made/run-tool.ts'
import { containerEngine } from './container-engine.ts'
import { containerCalls, containerState, removeContainer } from './container-state.ts'
import { makeVolume, useVolume, volumeMount } from './container-volume.ts'
import { FILES } from './dev-container-file.ts'

const CLI = 'devcontainer'
/** Time limit in ms for building and starting a dev container and for the folder's commands that prepare it. */
const START_MS = 60 * 60_000

const started = z.object({ outcome: z.string(), containerId: z.string().optional(), message: z.string().optional() })
const configuration = z.object({ workspace: z.object({ workspaceFolder: z.string().startsWith('/') }) })

/**
 * Makes dev containers of folders with the user's own Dev Container CLI: one for each session, separate from the one that an editor may
 * have made. The folder is mounted, so changes reach its real files. A container stops when its lease ends.
 */
export function devContainers(leaseS: number): Maker<Extract<NewPlace, { kind: 'devcontainer' }>> {
  return {
    async plan({ from, name, folder }) {
      const engine = await containerEngine()
      if (!engine.ok) return engine
      if (ownProgram(CLI) === null) return failed(NO_CLI)
      if (!FILES.some((file) => existsSync(join(folder, file)))) return failed(notDescribed(folder))
      const ran = await runTool(CLI, ['read-configuration', '--workspace-folder', folder, '--docker-path', engine.value])
      const read = configuration.safeParse(lastJson(ran.stdout))
      if (!read.success) return failed(notUnderstood(folder, lastWords(ran)))
      return ok({ from, place: { kind: 'container', name }, inside: read.data.workspace.workspaceFolder })
    },
    async ensure(made, _, { report, signal }) {
      const engine = await containerEngine()
      if (!engine.ok) return engine
      if ((await containerState(engine.value, made)).kind === 'running') return ok({ isNew: false })
      report(`Starting the dev container of ${made.folder}. The first start builds it.`)
      await removeContainer(engine.value, made)
      await makeVolume(engine.value, made)
      const ran = await runTool(CLI, upArguments(engine.value, made), { timeoutMs: START_MS, ...(signal && { signal }) })
      const up = started.safeParse(lastJson(ran.stdout)).data
      const id = up?.containerId
      if (up?.outcome !== 'success' || id === undefined) {
        // The container may exist although its commands failed.
        if (id !== undefined) await removeContainer(engine.value, { name: id })
        signal?.throwIfAborted()
        return failed(notStarted(made, up?.message ?? lastWords(ran)))
      }
      await runTool(engine.value, ['rename', id, made.name])
      await useVolume(engine.value, made)
      // The container's main program never ends by itself, so this program ends it.
      const watch = `(${keepAliveLine(leaseS)}); kill -TERM 1`
      await runTool(engine.value, ['exec', '--detach', '--user', '0', made.name, 'sh', '-c', watch])
      return ok({ isNew: true })
    },
    ...containerCalls,
  }
}

const upArguments = (engine: string, { name, folder }: MadePlace): readonly string[] => [
  'up',
  '--workspace-folder',
  folder,
  '--docker-path',
  engine,
  '--id-label',
  `${MARKS.session}=${name}`,
  '--mount',
  volumeMount({ name }),
]

/** The last line of output, which is JSON. Null if it is not. */
const lastJson = (stdout: Buffer): unknown => orNull(() => JSON.parse(stdout.toString('utf8').trim().split('\n').at(-1) ?? '') as unknown)

const NO_CLI: Trouble = {
  code: 'no_devcontainer_cli',
  what: 'No program “devcontainer” was found on this computer. It starts dev containers as editors do.',
  kept: 'Nothing was made.',
  todo: 'Install it with: npm install --global @devcontainers/cli',
}

const notDescribed = (folder: string): Trouble => ({
  code: 'no_devcontainer',
  what: `${folder} has no ${FILES.join(' and no ')}.`,
  kept: 'Nothing was made.',
  todo: 'Add one, or use an image: image:NAME',
})

const notUnderstood = (folder: string, said: string): Trouble => ({
  code: 'devcontainer_not_read',
  what: `The dev container of ${folder} was not understood. ${said}`.trim(),
  kept: 'Nothing was made.',
  todo: `Check it with: devcontainer read-configuration --workspace-folder ${folder}`,
})

const notStarted = ({ folder }: MadePlace, said: string): Trouble => ({
  code: 'devcontainer_not_started',
  what: `The dev container of ${folder} did not start. ${said}`.trim(),
  kept: 'The folder is unchanged by Countersign; commands of its devcontainer.json may have run.',
  todo: `Check that “devcontainer up --workspace-folder ${folder}” works in a terminal, then try again.`,
})
