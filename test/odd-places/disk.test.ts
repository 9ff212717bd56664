import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runAgent } from '../headless/support/agent-process.ts'
import { place } from '../headless/support/model-place.ts'
import { checkStore } from '../kills/kill-rounds.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { NO_SMALL_DISK, type SmallDisk, smallDisk } from '../support/small-disk.ts'

const LARGE = 'mine\n'.repeat(200_000)
const NAMES = ['a.txt', 'b.txt', 'c.txt'] as const

/**
 * Creates a project on a small disk. The agent has replaced three files of 1 MB in it with short ones. The history of the session is on the
 * default disk.
 */
async function shortened(disk: SmallDisk) {
  onTestFinished(() => disk.remove())
  const at = {
    ...(await place([calls(call('shell', { command: NAMES.map((name) => `echo short > ${name}`).join('; ') })), say('Done.')])),
    cwd: join(disk.path, 'project'),
  }
  mkdirSync(at.cwd)
  for (const name of NAMES) writeFileSync(join(at.cwd, name), LARGE)
  const run = await runAgent(['--approve', 'all', '--sandbox', 'off', 'Begin'], at)
  expect([run.code, run.stderr]).toEqual([0, ''])
  const texts = () => Object.fromEntries(readdirSync(at.cwd).map((name) => [name, readFileSync(join(at.cwd, name), 'utf8')]))
  const allOf = (text: string) => Object.fromEntries(NAMES.map((name) => [name, text]))
  expect(texts()).toEqual(allOf('short\n'))
  return { at, texts, allOf }
}

test('a rollback on a full disk leaves each file unchanged, says that the disk is full, and works once there is space', async ({
  skip,
}) => {
  const disk = smallDisk(8)
  if (!disk) return skip(NO_SMALL_DISK)
  const { at, texts, allOf } = await shortened(disk)
  disk.fill()
  const failed = await runAgent(['rollback', '0'], at)
  expect(`${failed.stdout}${failed.stderr}`).toMatch(/disk is full|no space/iu)
  expect(texts()).toEqual(allOf('short\n'))
  disk.free()
  const back = await runAgent(['rollback', '0'], at)
  expect([back.stderr, texts()]).toEqual(['', allOf(LARGE)])
  await checkStore(at.data, { at: 0, before: '' })
})

test('a rollback on a read-only disk changes nothing and reports the reason, and it works once the disk is writable', async ({ skip }) => {
  const disk = smallDisk(8)
  if (!disk) return skip(NO_SMALL_DISK)
  const { at, texts, allOf } = await shortened(disk)
  const remount = (how: 'ro' | 'rw'): unknown => execFileSync('mount', ['-o', `remount,${how}`, disk.path])
  remount('ro')
  const failed = await runAgent(['rollback', '0'], at)
  remount('rw')
  expect(`${failed.stdout}${failed.stderr}`).toMatch(/read-only|cannot be written/iu)
  expect(texts()).toEqual(allOf('short\n'))
  const back = await runAgent(['rollback', '0'], at)
  expect([back.stderr, texts()]).toEqual(['', allOf(LARGE)])
})
