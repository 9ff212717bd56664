import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { useNoProgramsFrom } from '../../main/environment/own-programs/own-programs.ts'
import { knownAgent } from '../../main/foreign-agents/known-agents.ts'

afterEach(() => void vi.unstubAllEnvs())

test('an agent’s program is never taken from a project, where its keys would go to whoever wrote it', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-agents-')))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const put = (folder: string): string => {
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'codex-acp')
    writeFileSync(file, '#!/bin/sh\n')
    chmodSync(file, 0o755)
    return file
  }
  const project = join(home, 'project')
  put(join(project, 'bin'))
  useNoProgramsFrom(project)
  vi.stubEnv('PATH', `${join(project, 'bin')}:${process.env['PATH'] ?? ''}`)
  expect(knownAgent(home, 'codex')?.file).toBe(null)
  const outside = put(join(home, 'tools'))
  vi.stubEnv('PATH', `${process.env['PATH'] ?? ''}:${join(home, 'tools')}`)
  expect(knownAgent(home, 'codex')?.file).toBe(outside)
})
