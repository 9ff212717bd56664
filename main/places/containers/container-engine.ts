import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { lastWords, runTool } from '../made/run-tool.ts'
import { containerPrograms } from '../programs.ts'

let answering: Promise<Result<string, Trouble>> | null = null

/**
 * The program that makes containers: the first of `docker` and `podman` that works, because `docker` may be installed without its daemon.
 * If none works, the next call tries again.
 */
export function containerEngine(): Promise<Result<string, Trouble>> {
  const begun = (answering ??= firstAnswering())
  void begun.then((found) => {
    if (!found.ok && answering === begun) answering = null
  })
  return begun
}

async function firstAnswering(): Promise<Result<string, Trouble>> {
  const said: string[] = []
  for (const program of containerPrograms()) {
    // This asks the daemon, so it fails if no daemon runs.
    const ran = await runTool(program, ['ps', '--quiet'])
    if (ran.failure === null) return ok(program)
    said.push(lastWords(ran))
  }
  return failed({
    code: 'no_container_engine',
    what:
      said.length === 0
        ? 'No program “docker” or “podman” was found on this computer.'
        : `Neither docker nor podman works on this computer: ${said.join(' ')}`,
    kept: 'Nothing was made.',
    todo: 'Install Docker or Podman, or start its service, then try again.',
  })
}
