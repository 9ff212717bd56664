import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { memoryFolder } from './memory-folder.ts'

/** A process id above the highest possible one. */
const DEAD = 2 ** 22 + 1

function opened(): string | null {
  const folder = memoryFolder()
  if (folder !== null) onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

vi.stubEnv('TMPDIR', undefined)
const found = memoryFolder()
if (found !== null) rmSync(found, { recursive: true })

test.skipIf(found === null)('fast tests get a new folder in memory, and those of killed runs are removed', () => {
  vi.stubEnv('TMPDIR', undefined)
  const folder = opened() ?? ''
  const killed = `${dirname(folder)}/csgn-${DEAD}-aaaaaa`
  mkdirSync(killed)
  expect([opened() === folder, existsSync(folder), existsSync(killed)]).toEqual([false, true, false])
})

test('TMPDIR takes precedence', () => {
  vi.stubEnv('TMPDIR', '/var/tmp')
  expect(opened()).toBe(null)
})
