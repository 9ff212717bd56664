import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { MARKER_VARIABLE } from '../../../main/environment/process/process-marker.ts'
import { findInPsOutput, PS_COLUMNS } from '../../../main/environment/process/ps-output.ts'

/** A list as `ps -A -E -ww` of macOS prints it: pid, parent, group, state, command, environment. */
const LIST = [
  '    1     0     1 Ss   /sbin/launchd',
  `  300     1   300 S    /Applications/Countersign.app/Contents/MacOS/Countersign`,
  `  400   300   400 Ss   /bin/bash -c make ${MARKER_VARIABLE}=run.1 PATH=/usr/bin`,
  '  401   400   400 R+   make all',
  '  402   401   402 S    /bin/sleep 60',
  '  403   402   402 S    /bin/sleep 61',
  '  404   401   400 Z    (cc)',
  `  500     1   500 S    node server.js ${MARKER_VARIABLE}=run.1 HOME=/Users/ann`,
  `  600     1   600 S    node other.js ${MARKER_VARIABLE}=run.2`,
  '',
].join('\n')

it('a command’s processes are those in its group or with its marker, and their children, without zombies', () => {
  const found = findInPsOutput(LIST, { groups: new Set([400]), marker: 'run.1' }, 300)
  expect(found.map(({ pid, inGroup }) => [pid, inGroup])).toEqual([
    [400, true],
    [401, true],
    [402, false],
    [403, false],
    [500, false],
  ])
})

it('our own process and its other children are never among a command’s processes', () => {
  const found = findInPsOutput(LIST, { groups: new Set([300]), marker: 'run.2' }, 300)
  expect(found.map(({ pid }) => pid)).toEqual([600])
})

// On Linux the app reads /proc instead of running ps, so ps may be missing there.
it.runIf(existsSync('/bin/ps'))('a real ps prints the expected columns, so that a real process group is found', async () => {
  const leader = spawn('bash', ['-c', 'sleep 61 & echo started; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  const group = leader.pid ?? 0
  onTestFinished(() => void process.kill(-group, 'SIGKILL'))
  await once(leader.stdout, 'data')
  const list = execFileSync('/bin/ps', ['-A', '-ww', ...PS_COLUMNS], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const found = findInPsOutput(list, { groups: new Set([group]), marker: 'nobody' }, process.pid)
  expect(found.map(({ inGroup }) => inGroup)).toEqual([true, true])
  expect(found.map(({ pid }) => pid)).toContain(group)
})
