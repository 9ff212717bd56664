import type { ExecResult } from '../../agent/ports/execution-environment.ts'

/** What failed commands print when only the copy was in their way, and why. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [
    /Cannot connect to the Docker daemon|connect: .*docker\.sock|docker\.sock: no such file/iu,
    'It needs the Docker socket, which a copy cannot reach.',
  ],
  [/gpg failed to sign the data|gpg: signing failed|Couldn't find key in agent/iu, 'It signs with a key, and a copy hides the keys.'],
  [
    /Could not open a connection to your authentication agent|Permission denied \(publickey/iu,
    'It needs your SSH keys, which a copy hides.',
  ],
  [/\bEXDEV\b|Invalid cross-device link/u, 'It renames a folder, which a copy cannot do.'],
  [/\bEOVERFLOW\b|Value too large for defined data type/u, 'It changes a file of another user, which a copy cannot do.'],
  [/index\.lock'?: Read-only file system/u, 'The data of git lies outside the folder, where a copy cannot write.'],
  [
    /Cannot connect to X server|cannot open display|Failed to connect to (?:the )?bus/iu,
    'It needs the screen or a service of the system, which a copy cannot reach.',
  ],
]

/** Why a command failed for a reason of the copy, as far as its output tells; null: it did not fail, or for a reason of its own. */
export function unfitFor({ exitCode, timedOut, aborted, stdout, stderr }: ExecResult): string | null {
  if (exitCode === 0 || timedOut || aborted) return null
  const end = `${stdout.slice(-4000)}\n${stderr.slice(-4000)}`
  return SIGNS.find(([sign]) => sign.test(end))?.[1] ?? null
}
