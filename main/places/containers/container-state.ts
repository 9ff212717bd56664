import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { MadePlace } from '../made/made-place.ts'
import type { PlaceState } from '../made/maker.ts'
import { lastWords, runTool } from '../made/run-tool.ts'

/** Whether the container of a place runs. `engine`: the program that made it. */
export async function containerState(engine: string, { name }: MadePlace): Promise<PlaceState> {
  const ran = await runTool(engine, ['container', 'inspect', '--format', '{{.State.Status}}', name])
  const status = ran.stdout.toString('utf8').trim()
  if (ran.failure === null && status === 'running') return { kind: 'running' }
  return { kind: 'gone', why: ran.failure === null ? `The container ${name} is ${status}.` : `There is no container ${name}.` }
}

/** Ends and removes the container of a place. Does nothing if it is gone. */
export async function removeContainer(engine: string, { name }: Pick<MadePlace, 'name'>): Promise<Result<null, Trouble>> {
  const ran = await runTool(engine, ['rm', '-f', '-t', '1', name])
  // `docker rm` takes no time limit.
  const again = /unknown shorthand flag/u.test(ran.stderr) ? await runTool(engine, ['rm', '-f', name]) : ran
  if (again.failure === null || /no such|no container/iu.test(again.stderr)) return ok(null)
  return failed({
    code: 'container_not_removed',
    what: `The container ${name} could not be removed. ${lastWords(again)}`.trim(),
    kept: 'The container and the folder are unchanged.',
    todo: `Remove it with “docker rm -f ${name}” or “podman rm -f ${name}”.`,
  })
}
