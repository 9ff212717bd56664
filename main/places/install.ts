import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Place } from '../../shared/places/address.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import type { GuestPart } from './guest-files.ts'
import { CACHE } from './probe.ts'
import type { ConnectionOptions } from './programs.ts'
import { runRemote } from './run-remote.ts'
import { tarOf } from './tar.ts'

/** Time limit for installing one part: 50 MB over a slow connection. */
const LIMIT_MINUTES = 20

/** The last file of an upload. If it exists, the upload is complete. */
const COMPLETE = 'complete'
/** What programs print if a disk is full or a quota is used up. GNU tar prints only “Wrote only” if some of the bytes still fit. */
const NO_ROOM = /No space left|Wrote only|quota exceeded/iu

/**
 * Installs a part below our folder at the place. The files are written to a temporary folder that is renamed at the end, so a partial
 * installation is never used. Removes what an interrupted installation has left. Rejects with a coded failure.
 */
export async function install(place: Place, part: GuestPart, connection: ConnectionOptions, signal?: AbortSignal): Promise<void> {
  const files = [...part.files, { path: COMPLETE, bytes: Buffer.alloc(0), isProgram: false }]
  const input = Readable.from(tarOf(files)).pipe(createGzip())
  const line = [
    // So that messages about a full disk are in English.
    'export LC_ALL=C',
    'umask 077',
    `d="$HOME/${CACHE}/${part.name}"`,
    't="$d.$$"',
    // Younger leftovers may be an upload that is running, from a machine that shares the home folder.
    `find "$HOME/${CACHE}" -maxdepth 1 -name '${part.name}.*' -mmin +${LIMIT_MINUTES} -exec rm -rf '{}' + 2>/dev/null`,
    `rm -rf "$t" && mkdir -p "$t" && gzip -dc | tar -xf - -C "$t" && [ -e "$t/${COMPLETE}" ] || { rm -rf "$t"; exit 1; }`,
    `[ -e "$d/${COMPLETE}" ] || rm -rf "$d"`,
    // Another process may have installed the same part in the meantime.
    '[ -e "$d" ] && rm -rf "$t" || mv "$t" "$d"',
  ].join('; ')
  const { exitCode, stderr } = await runRemote(place, line, connection, { input, signal, limitMs: LIMIT_MINUTES * 60_000 })
  if (exitCode === 0) return
  if (!NO_ROOM.test(stderr))
    throw new EnvironmentFailure(
      'EINSTALL',
      `Installing into ~/${CACHE} there failed (EINSTALL). ${stderr.replaceAll(/\s*\n\s*/gu, ' ')}`.trim(),
    )
  const megabytes = Math.ceil(part.files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6)
  throw new EnvironmentFailure('ENOSPC', `There is no room for ${megabytes} MB in ~/${CACHE} there (ENOSPC). Nothing of it was left there.`)
}
