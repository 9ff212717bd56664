import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Place } from '../../shared/places/address.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import type { GuestPart } from './guest-files.ts'
import { CACHE } from './probe.ts'
import type { ConnectionOptions } from './programs.ts'
import { runRemote } from './run-remote.ts'
import { tarOf } from './tar.ts'

/** Time limit in ms for installing one part: 50 MB over a slow connection. */
const LIMIT_MS = 20 * 60_000

/**
 * Installs a part below our folder at the place. The files are written to a temporary folder that is renamed at the end, so a partial
 * installation is never used. Rejects with a coded failure.
 */
export async function install(place: Place, part: GuestPart, connection: ConnectionOptions, signal?: AbortSignal): Promise<void> {
  const input = Readable.from(tarOf(part.files)).pipe(createGzip())
  const line = [
    'umask 077',
    `d="$HOME/${CACHE}/${part.name}"`,
    't="$d.$$"',
    'rm -rf "$t" && mkdir -p "$t" && gzip -dc | tar -xf - -C "$t" && : > "$t/complete" || { rm -rf "$t"; exit 1; }',
    '[ -e "$d/complete" ] || rm -rf "$d"',
    // Another process may have installed the same part in the meantime.
    '[ -e "$d" ] && rm -rf "$t" || mv "$t" "$d"',
  ].join('; ')
  const { exitCode, stderr } = await runRemote(place, line, connection, { input, signal, limitMs: LIMIT_MS })
  if (exitCode !== 0) throw new EnvironmentFailure('EINSTALL', `Installing into ~/${CACHE} there failed (EINSTALL). ${stderr}`.trim())
}
