import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Place } from '../../shared/places/address.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import type { GuestPart } from './guest-files.ts'
import { CACHE } from './probe.ts'
import type { WayThere } from './programs.ts'
import { runThere } from './run-there.ts'
import { tarOf } from './tar.ts'

/** Time limit in ms for putting one part there: 50 MB on a slow line. */
const LIMIT_MS = 20 * 60_000

/**
 * Puts a part below our folder at the place. It is written beside its place and renamed, so half of it never counts. Rejects with a coded
 * failure that says why it did not work.
 */
export async function install(place: Place, part: GuestPart, way: WayThere, signal?: AbortSignal): Promise<void> {
  const input = Readable.from(tarOf(part.files)).pipe(createGzip())
  const line = [
    'umask 077',
    `d="$HOME/${CACHE}/${part.name}"`,
    't="$d.$$"',
    'rm -rf "$t" && mkdir -p "$t" && gzip -dc | tar -xf - -C "$t" && : > "$t/complete" || { rm -rf "$t"; exit 1; }',
    '[ -e "$d/complete" ] || rm -rf "$d"',
    // Somebody else may have put it there in the meantime, and it is the same.
    '[ -e "$d" ] && rm -rf "$t" || mv "$t" "$d"',
  ].join('; ')
  const { exitCode, stderr } = await runThere(place, line, way, { input, signal, limitMs: LIMIT_MS })
  if (exitCode !== 0) throw new EnvironmentFailure('EINSTALL', `It could not be put into ~/${CACHE} there (EINSTALL). ${stderr}`.trim())
}
