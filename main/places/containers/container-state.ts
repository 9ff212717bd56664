import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { NewPlace } from '../../../shared/places/new-place.ts'
import { RENEW_LINE } from '../made/keep-alive.ts'
import type { MadePlace } from '../made/made-place.ts'
import type { Maker, PlaceState } from '../made/maker.ts'
import { NO_SSH } from '../programs.ts'
import { lastWords, runTool } from '../made/run-tool.ts'
import { runRemote } from '../run-remote.ts'
import { containerEngine } from './container-engine.ts'
import { removeVolume, volumeOf } from './container-volume.ts'

/**
 * Whether the container of a place runs. `engine`: the program that made it. An engine that does not answer says nothing about the
 * container.
 */
export async function containerState(engine: string, { name }: MadePlace): Promise<PlaceState> {
  const ran = await runTool(engine, ['container', 'inspect', '--format', '{{.State.Status}}', name])
  const status = ran.stdout.toString('utf8').trim()
  if (ran.failure === null) return status === 'running' ? { kind: 'running' } : { kind: 'gone', why: `The container ${name} is ${status}.` }
  if (MISSING.test(ran.stderr)) return { kind: 'gone', why: `There is no container ${name}.` }
  return { kind: 'waiting', why: `The state of the container ${name} is unknown. ${lastWords(ran)}`.trim() }
}

const MISSING = /no such|no container/iu

/** Ends and removes the container of a place. Does nothing if it is gone. */
export async function removeContainer(engine: string, { name }: Pick<MadePlace, 'name'>): Promise<Result<null, Trouble>> {
  const ran = await runTool(engine, ['rm', '-f', '-t', '1', name])
  // `docker rm` takes no time limit.
  const again = /unknown shorthand flag/u.test(ran.stderr) ? await runTool(engine, ['rm', '-f', name]) : ran
  if (again.failure === null || MISSING.test(again.stderr)) return ok(null)
  return failed({
    code: 'container_not_removed',
    what: `The container ${name} could not be removed. ${lastWords(again)}`.trim(),
    kept: 'The container and the folder are unchanged.',
    todo: `Remove it with “docker rm -f ${name}” or “podman rm -f ${name}”.`,
  })
}

/** The calls of a maker that are the same for all containers. */
export const containerCalls: Pick<Maker<NewPlace>, 'state' | 'renew' | 'remove'> = {
  async state(made) {
    const engine = await containerEngine()
    // If the engine does not answer, the container may still be running.
    return engine.ok ? containerState(engine.value, made) : { kind: 'waiting', why: engine.failure.what }
  },
  renew: ({ name }) => runRemote({ kind: 'container', name }, RENEW_LINE, NO_SSH),
  async remove(made, _, forgets) {
    const engine = await containerEngine()
    if (!engine.ok) return engine
    const removed = await removeContainer(engine.value, made)
    if (!removed.ok || !forgets) return removed
    const why = await removeVolume(engine.value, made)
    return why === null ? ok(null) : failed(volumeLeft(made, why))
  },
}

const volumeLeft = ({ name }: Pick<MadePlace, 'name'>, said: string): Trouble => ({
  code: 'volume_not_removed',
  what: `The volume of the container ${name} could not be removed. ${said}`.trim(),
  kept: 'The container is gone. Its volume has copies and layers that were not brought in.',
  todo: `Stop it again, or remove it with “docker volume rm ${volumeOf({ name })}” or “podman volume rm ${volumeOf({ name })}”.`,
})
