import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { judgeCommand, needsMoreThanCopy } from '../../../main/approval/command-line/judge-command.ts'
import { hasNoCopies, openCopies } from './support.ts'

// These tests need bubblewrap, and root. `hasNoCopies` prints the reason for the skip.
describe.skipIf(hasNoCopies || process.getuid?.() !== 0)('a file in the root folder', () => {
  it('is hidden in a copy unless it belongs to the system (X4)', async () => {
    const path = `/countersign-test-${process.pid}.json`
    writeFileSync(path, 'TOP-SECRET', { mode: 0o644 })
    onTestFinished(() => rmSync(path))
    const { copies } = openCopies()
    const { result, hidden } = await copies.run(`cat ${path}; cat /etc/hostname >/dev/null && echo read`)
    expect([result.stdout, hidden.includes(path)]).toEqual(['read\n', true])
  })

  it('may come and go while copies start', async () => {
    const path = `/countersign-test-${process.pid}-busy.json`
    const busy = spawn('bash', ['-c', `while :; do : >${path}; read -t 0.01 <> <(:); rm ${path}; read -t 0.01 <> <(:); done`])
    onTestFinished(async () => {
      busy.kill('SIGKILL')
      await once(busy, 'exit')
      rmSync(path, { force: true })
    })
    await expect.poll(() => existsSync(path)).toBe(true)
    const { copies } = openCopies()
    for (let start = 0; start < 10; start += 1) expect((await copies.run('echo ran')).result.stdout).toBe('ran\n')
  })
})

const place = { cwd: '/p', root: '/p', home: '/home/me' }

it.each([
  ['cat .env', true],
  ['grep -r KEY config/.env.production', true],
  ['wc -l < .env', true],
  ['cd config && cat server.pem', true],
  ['cat .e*', true],
  ['cat .env.example', false],
  ['cat src/*.ts', false],
  ['npm test', false],
  ['echo .env >> .gitignore', false],
])('%s needs a signature before it runs, because it reads secrets: %s (X4)', (command, expected) => {
  const judgement = judgeCommand(command, place)
  if (judgement === null) throw new Error('not understood')
  expect(needsMoreThanCopy(judgement)?.includes('may contain secrets') ?? false).toBe(expected)
})
