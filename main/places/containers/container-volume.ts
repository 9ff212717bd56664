import { MARKS } from '../made/maker.ts'
import type { MadePlace } from '../made/made-place.ts'
import { lastWords, runTool } from '../made/run-tool.ts'
import { CACHE } from '../probe.ts'

/** Where the volume of a container is mounted. */
const TARGET = '/var/lib/countersign'

/** The volume keeps copies and layers, because an overlay needs a real disk and the root folder of a container is an overlay itself. */
export const volumeOf = ({ name }: Pick<MadePlace, 'name'>): string => `${name}-data`

/** The text after `--mount` for the volume of a container. The volume must exist (`makeVolume`). */
export const volumeMount = (made: Pick<MadePlace, 'name'>): string => `type=volume,source=${volumeOf(made)},target=${TARGET}`

/** Makes the volume if it is missing. An engine that cannot make it says so when it starts the container. */
export async function makeVolume(engine: string, made: MadePlace): Promise<void> {
  const known = await runTool(engine, ['volume', 'inspect', volumeOf(made)])
  if (known.failure === null) return
  const labels = [`${MARKS.session}=${made.name}`, `${MARKS.folder}=${made.folder}`]
  await runTool(engine, ['volume', 'create', ...labels.flatMap((label) => ['--label', label]), volumeOf(made)])
}

/**
 * Makes our folder in a running container lead to the volume, for the user as whom the container runs. If this fails, sessions there have no
 * copies and layers, and say so.
 */
export async function useVolume(engine: string, { name }: Pick<MadePlace, 'name'>): Promise<void> {
  const { stdout } = await runTool(engine, ['exec', name, 'id', '-u'])
  const user = stdout.toString('utf8').trim()
  // A new volume belongs to root.
  if (user !== '0') await runTool(engine, ['exec', '--user', '0', name, 'chown', user, TARGET])
  // The sockets of an earlier container lead nowhere.
  const line = `d="$HOME/${CACHE}"; [ -w ${TARGET} ] && rm -rf ${TARGET}/run && mkdir -p "\${d%/*}" && [ ! -e "$d" ] && ln -s ${TARGET} "$d"`
  await runTool(engine, ['exec', name, 'sh', '-c', line])
}

/** Removes the volume of a container that is gone. Returns why it could not be removed, or null. */
export async function removeVolume(engine: string, made: Pick<MadePlace, 'name'>): Promise<string | null> {
  const ran = await runTool(engine, ['volume', 'rm', volumeOf(made)])
  return ran.failure === null || /no such volume/iu.test(ran.stderr) ? null : lastWords(ran)
}
