import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CACHE, foundIn, probeLine } from '../../main/places/probe.ts'

const answer = (lines: string): string => `noise\ncountersign-probe\n${lines}\n`

test('the probe finds the system, the login PATH and our installed parts, whatever the start files print', () => {
  const home = mkdtempSync(join(tmpdir(), 'probe-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, CACHE, 'whole part'), { recursive: true })
  mkdirSync(join(home, CACHE, 'half'))
  writeFileSync(join(home, CACHE, 'whole part', 'complete'), '')
  writeFileSync(join(home, '.bash_profile'), 'echo "countersign-probe"; export PATH="/only/at/login:$PATH"\n')
  const stdout = execFileSync('sh', ['-c', probeLine()], {
    env: { HOME: home, SHELL: '/bin/bash', PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  })
  const found = foundIn({ stdout })
  expect(found).toMatchObject({ system: 'Linux', release: release(), home, installed: new Set(['whole part']) })
  expect(found?.path).toMatch(/^\/only\/at\/login:/u)
})

test('a login shell that hangs is ended after five seconds, and its PATH is not used', { timeout: 20_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'probe-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  writeFileSync(join(home, '.bash_profile'), 'sleep 60\n')
  const env = { HOME: home, SHELL: '/bin/bash', PATH: '/usr/bin:/bin' }
  expect(foundIn({ stdout: execFileSync('sh', ['-c', probeLine()], { env, encoding: 'utf8' }) })?.path).toBe('/usr/bin:/bin')
})

test.each([
  ['no mark', 'command not found'],
  ['no home folder', answer('system=Linux\nhome=')],
  ['a relative home folder', answer('system=Linux\nhome=../../etc')],
  ['no system', answer('home=/root')],
])('an answer with %s is rejected', (_, stdout) => {
  expect(foundIn({ stdout })).toBeNull()
})

test.each([
  ['v22.1.0', { file: '/n', version: 'v22.1.0' }],
  ['v20.19.0', null],
  ['', null],
])('the version “%s” of Node gives %j', (version, node) => {
  expect(foundIn({ stdout: answer(`system=Linux\nhome=/h\nnode=/n\nversion=${version}`) })?.node).toEqual(node)
})
