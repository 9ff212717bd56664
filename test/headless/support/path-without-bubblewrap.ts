import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns a folder for PATH that contains the programs that commands and copies need, except bubblewrap. */
export async function pathWithoutBubblewrap(base: string): Promise<string> {
  const bin = join(base, 'bin-without-bwrap')
  await mkdir(bin)
  for (const name of [
    'bash',
    'sh',
    'cat',
    'cp',
    'ln',
    'mkdir',
    'readlink',
    'rm',
    'sed',
    'git',
    'unshare',
    'mount',
    'getfattr',
    'socat',
    'id',
  ])
    await symlink(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name))
  return bin
}
