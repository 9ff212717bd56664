import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createLocalCommandCopies, type LocalCopyOptions } from '../../../main/environment/copy/local-command-copies.ts'
import type { CommandCopies } from '../../../main/agent/ports/command-copies.ts'
import { missingPart } from '../../../main/environment/copy/copy-support.ts'
import { removeFolder } from '../../support/remove-folder.ts'
import { plant } from '../support.ts'

const found = await missingPart()
/** If true, these tests are skipped and the reason is printed: the machine has no bubblewrap. */
export const hasNoCopies = found.kind === 'absent'
if (found.kind === 'absent') process.stderr.write(`Skipped: ${found.reason} ${found.wayOut}\n`)

type MakeCopies = (options: LocalCopyOptions) => CommandCopies

const maker: { make: MakeCopies } = { make: createLocalCommandCopies }

/** Makes `openCopies` use these copies from now on, so that the same tests run on them. */
export const useCopies = (make: MakeCopies): void => void (maker.make = make)

/** Creates a folder with files and a place for its copies next to it. Both are removed when the test has ended. */
export function openCopies(files: Readonly<Record<string, string | Uint8Array>> = {}, options: Pick<LocalCopyOptions, 'isControl'> = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'copies-')))
  const folder = join(base, 'project')
  const layers = join(base, 'data', 'copies')
  mkdirSync(folder)
  plant(folder, files)
  const local = maker.make({ folder, layers, ...options })
  // On a busy machine the default time limit of ten seconds may be too short.
  const copies: typeof local = { ...local, run: (command, more) => local.run(command, { timeoutMs: 60_000, ...more }) }
  onTestFinished(async () => {
    await copies.cleanup()
    removeFolder(base)
  })
  return { base, folder, layers, copies }
}

/** Makes a folder in `base` with every program of the machine except these, and returns it. */
export function programsWithout(lacking: readonly string[], base: string): string {
  const bin = join(base, 'bin')
  mkdirSync(bin)
  for (const name of readdirSync('/usr/bin')) if (!lacking.includes(name)) symlinkSync(join('/usr/bin', name), join(bin, name))
  return bin
}

/** Returns everything in a folder by path: kind, mode, link target and bytes. */
export function treeOf(folder: string, without: ReadonlySet<string> = new Set()): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {}
  const walk = (at: string, path: string): void => {
    for (const name of readdirSync(at).toSorted()) {
      const inner = join(at, name)
      const innerPath = path === '' ? name : `${path}/${name}`
      if (without.has(innerPath)) continue
      const found = lstatSync(inner)
      const mode = (found.mode & 0o7777).toString(8)
      if (found.isSymbolicLink()) tree[innerPath] = `link ${readlinkSync(inner)}`
      else if (found.isDirectory()) {
        tree[innerPath] = `folder ${mode}`
        walk(inner, innerPath)
      } else tree[innerPath] = found.isFile() ? `file ${mode} ${createHash('sha256').update(readFileSync(inner)).digest('hex')}` : 'special'
    }
  }
  walk(folder, '')
  return tree
}

/** Returns the ids of the processes whose command line contains these words. Arguments are separated by NUL characters. */
export function processesWith(words: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words)
    } catch {
      return false
    }
  })
}

/** Creates an empty folder that is HOME until the test ends. */
export function ownHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'home-'))
  const before = process.env['HOME']
  process.env['HOME'] = home
  onTestFinished(() => {
    process.env['HOME'] = before ?? homedir()
    removeFolder(home)
  })
  return home
}
