import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runQuietly } from '../../main/bootstrap/processes.mjs'
import { folderBytes } from '../../main/bootstrap/files.mjs'
import { tempFolder } from './temp-folder.ts'

const run = (script: string, cwd: string, watch?: { limitMs: number; measure: () => number }) =>
  runQuietly(process.execPath, ['-e', script], { cwd, env: process.env, ...(watch ? { watch } : {}) })

/** A zombie process does not count as alive. Only Linux reports zombies. */
const isAlive = (pid: number): boolean => {
  const stat = `/proc/${pid}/stat`
  if (existsSync('/proc/self')) return existsSync(stat) && !/\) Z/.test(readFileSync(stat, 'utf8'))
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a program that is run quietly', () => {
  test('gives its exit code and its output if it fails', async () => {
    const ending = await run("console.error('what went wrong'); process.exit(3)", tempFolder())
    expect(ending).toEqual({ kind: 'failed', why: 'exit code 3', noise: 'what went wrong\n' })
  })

  test('fails with a reason if it does not exist', async () => {
    const ending = await runQuietly(join(tempFolder(), 'no such program'), [], { cwd: tempFolder(), env: process.env })
    expect(ending).toMatchObject({ kind: 'failed', why: expect.stringContaining('ENOENT') })
  })

  // On Windows, taskkill would stop the child processes, but that was never tested there.
  test.skipIf(process.platform === 'win32')('is killed together with its children if it makes no progress', async () => {
    const folder = tempFolder()
    const child = "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })"
    const script = `const child = ${child}; require('fs').writeFileSync('pid', String(child.pid)); setInterval(() => {}, 1000)`
    // Starting the child counts as progress, however long it takes.
    let starting = 0
    const ending = await run(script, folder, { limitMs: 1_000, measure: () => (existsSync(join(folder, 'pid')) ? 0 : (starting += 1)) })
    expect(ending).toEqual({ kind: 'stalled' })
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('keeps running while it makes progress, even if it prints nothing', async () => {
    let bytes = 0
    const ending = await run('setTimeout(() => {}, 2500)', tempFolder(), { limitMs: 1_200, measure: () => (bytes += 1) })
    expect(ending).toEqual({ kind: 'done', noise: '' })
  })
})

describe('the size of a folder', () => {
  test('is the total size of all files in it, and 0 if it does not exist', () => {
    const folder = tempFolder({ a: '12345', 'deep/er/b': '123' })
    expect([folderBytes(folder), folderBytes(join(folder, 'missing'))]).toEqual([8, 0])
    expect(existsSync(join(folder, 'missing'))).toBe(false)
  })
})
