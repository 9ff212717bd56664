import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyTree } from '../../../main/environment/layers/clone-layers.ts'
import { mappedEnvironment } from '../../../main/environment/layers/mapped-environment.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { removeFolder } from '../../support/remove-folder.ts'

function folders(): { readonly folder: string; readonly tree: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'unconfined-')))
  onTestFinished(() => removeFolder(base))
  const folder = join(base, 'a project (1)')
  const tree = join(base, 'tree')
  mkdirSync(folder)
  mkdirSync(tree)
  return { folder, tree }
}

test('in an unconfined command, the folder’s path becomes the clone’s, and no other path changes', async () => {
  const { folder, tree } = folders()
  const mapped = mappedEnvironment(createLocalExecutionEnvironment(tree), { folder, tree, mapsCommands: true })
  onTestFinished(() => mapped.cleanup())
  const command = `printf '%s\n' "${folder}" '${folder}/x' '${folder}-other' '${folder}.bak' '/pre${folder}' "a=${folder}:${folder}/bin"`
  const wanted = [tree, `${tree}/x`, `${folder}-other`, `${folder}.bak`, `/pre${folder}`, `a=${tree}:${tree}/bin`, ''].join('\n')
  expect((await mapped.execCommand(command)).stdout).toBe(wanted)
  const shell = await mapped.openShell()
  expect((await shell.run(command)).stdout).toBe(wanted)
  expect((await shell.run('cd / && cd .')).exitCode).toBe(0)
})

test('copying a folder without cp keeps links, modes and times, and can be aborted', async () => {
  const { folder, tree } = folders()
  mkdirSync(join(folder, 'dir'))
  writeFileSync(join(folder, 'dir', 'run'), 'x')
  chmodSync(join(folder, 'dir', 'run'), 0o755)
  utimesSync(join(folder, 'dir', 'run'), 1_000_000_000, 1_000_000_000)
  symlinkSync('dir/run', join(folder, 'link'))
  symlinkSync('nowhere', join(folder, 'dangling'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  await copyTree(folder, tree, new AbortController().signal)
  const { mode, mtimeMs } = statSync(join(tree, 'dir', 'run'))
  expect([mode & 0o777, mtimeMs]).toEqual([0o755, 1_000_000_000_000])
  expect(['link', 'dangling'].map((name) => readlinkSync(join(tree, name)))).toEqual(['dir/run', 'nowhere'])
  expect(lstatSync(join(tree, 'link')).isSymbolicLink()).toBe(true)
  await expect(copyTree(folder, join(tree, 'again'), AbortSignal.abort())).rejects.toThrow(/abort/u)
})
