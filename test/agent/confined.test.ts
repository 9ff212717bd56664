import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type RigOptions, waiting } from './support/rig.ts'
import { only, resultsOf, rigFor } from './support/scripted-rig.ts'

const inBackground = (command: string) => call('shell', { command, run_in_background: true })

/** A session whose agent starts a background command. */
async function started(command: string, options: RigOptions) {
  const { rig, provider } = await rigFor([calls(inBackground(command)), say('Done.')], { inCopies: true, ...options })
  writeFileSync(join(rig.folder, 'package.json'), '{}')
  rig.session.submit('go')
  const inFolder = (name: string): boolean => existsSync(join(rig.folder, name))
  return { rig, inFolder, result: () => resultsOf(provider.requests[1])[0] }
}

describe.skipIf(hasNoCopies)('a background command', { timeout: 60_000 }, () => {
  it('runs confined in mode auto, unasked: it writes in the folder, not outside it and not to control files', async () => {
    const elsewhere = `/var/tmp/countersign-confined-${process.pid}`
    const { rig, inFolder, result } = await started(`echo x > ${elsewhere}; echo y > inside; echo z > package.json; sleep 60`, {
      mode: 'auto',
    })
    await rig.session.idle()
    await expect.poll(() => inFolder('inside')).toBe(true)
    expect([existsSync(elsewhere), readFileSync(join(rig.folder, 'package.json'), 'utf8')]).toEqual([false, '{}'])
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
    expect(only(rig, 'TOOL_EXECUTION_START')[0]?.effects).toEqual([expect.objectContaining({ sandbox: 'confined', way: 'background' })])
    expect(result()).toEqual(['ok', expect.stringContaining('It runs confined to the project folder')])
  })

  it.each([
    ['ask', 'echo x > f'],
    ['accept-edits', 'echo x > f'],
    ['auto', 'rm -rf src'],
  ] as const)('asks in mode %s: %s', async (mode, command) => {
    const { rig, inFolder } = await started(command, { mode })
    await waiting(rig.session)
    expect([inFolder('f'), only(rig, 'TOOL_EXECUTION_START')]).toEqual([false, []])
  })
})
