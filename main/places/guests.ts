import type { Place } from '../../shared/places/address.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { CACHE } from './probe.ts'
import type { ConnectionOptions } from './programs.ts'
import { runRemote } from './run-remote.ts'

/** Countersign's processes and files on a machine. */
export interface Guest {
  readonly place: Place
  /** When each process that serves a folder was started, in ms since 1970, oldest first. */
  readonly servingSince: readonly number[]
  /** The size of what is installed, in bytes. */
  readonly bytes: number
}

/** Time limit in ms. A machine that is switched off must not hold up the list. */
const LIMIT_MS = 20_000
const MARK = 'countersign-guest'

/** Finds our processes and files on a machine. Null if the machine cannot be reached without questions to the user. */
export async function guestAt(place: Place, connection: ConnectionOptions): Promise<Guest | null> {
  const line = [
    `d="$HOME/${CACHE}"`,
    `for s in "$d"/run/*; do if [ -S "$s" ]; then echo "${MARK} since $(stat -c %Y "$s" 2>/dev/null || stat -f %m "$s")"; fi; done`,
    `echo "${MARK} kilobytes $(du -sk "$d" 2>/dev/null | cut -f1)"`,
  ].join('; ')
  const ran = await runRemote(place, line, connection, { limitMs: LIMIT_MS }).catch(() => null)
  if (ran === null || ran.exitCode !== 0) return null
  const numbers = (name: string): readonly number[] =>
    [...ran.stdout.matchAll(new RegExp(`^${MARK} ${name} (\\d*)$`, 'gmu'))].map(([, number]) => Number(number))
  const [kilobytes = 0] = numbers('kilobytes')
  return {
    place,
    servingSince: numbers('since')
      .map((seconds) => seconds * 1000)
      .toSorted((a, b) => a - b),
    bytes: kilobytes * 1024,
  }
}

/**
 * Ends our processes on a machine and everything that they have started. `uninstalls`: also removes our installed files. Rejects with a
 * coded failure.
 */
export async function endGuest(place: Place, connection: ConnectionOptions, uninstalls: boolean): Promise<void> {
  const line = [
    `d="$HOME/${CACHE}"`,
    // `grep -v` excludes the first `grep` itself. On SIGTERM, our processes end everything that they have started.
    `{ ps -A -o pid= -o args= 2>/dev/null || ps; } | grep -F "daemon $d/run/" | grep -v -F 'grep -F' | while read -r p rest; do kill "$p" 2>/dev/null; done`,
    uninstalls ? 'rm -rf "$d"' : ':',
  ].join('; ')
  const { exitCode, stderr } = await runRemote(place, line, connection, { limitMs: LIMIT_MS })
  if (exitCode !== 0) throw new EnvironmentFailure('ESTOP', `Countersign’s processes could not be ended (ESTOP). ${stderr}`.trim())
}
