import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { machineFacts } from '../../main/environment/machine/machine-facts.ts'

let bin: string
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'countersign-bin-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(bin, { recursive: true })
})

const put = (name: string): void => {
  writeFileSync(join(bin, name), '#!/bin/sh\n')
  chmodSync(join(bin, name), 0o755)
}

const factNamed = async (name: string) => (await machineFacts()).find((fact) => fact.name === name)

// Package managers are known only for Linux.
it.skipIf(process.platform !== 'linux')('a missing program comes with the command of this system that installs it', async () => {
  vi.stubEnv('PATH', bin)
  const missing = (await machineFacts()).filter(({ state }) => state === 'missing')
  expect(missing.map(({ name }) => name)).toEqual(expect.arrayContaining(['Network', 'Git']))
  for (const { name, words, remedy } of missing) {
    expect([name, words]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/)])
    if (remedy !== null) expect(remedy).toMatch(/^sudo [\w-]+ /)
  }
})

it('names the other agents that are installed, and nothing if there are none', async () => {
  vi.stubEnv('PATH', bin)
  expect(await factNamed('Other agents')).toBeUndefined()
  put('claude')
  put('codex')
  expect((await factNamed('Other agents'))?.words).toMatch(/^Claude Code, Codex: /)
})

// The name of the shell differs on Windows.
it.skipIf(process.platform === 'win32')('names the shell in which commands run', async () => {
  expect(await factNamed('Shell')).toEqual({ name: 'Shell', state: 'there', words: 'Commands run in bash.', remedy: null })
})
