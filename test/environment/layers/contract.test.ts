import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../copy/support.ts'
import { NOBODY } from '../support.ts'
import { brokenPromises } from './contract.ts'
import type { LayerKind } from './contract-ground.ts'

const KINDS: readonly LayerKind[] = ['clone', 'overlay']

/** Runs the cases in a process of an ordinary user. */
function brokenForNobody(kind: LayerKind): unknown {
  const contract = JSON.stringify(new URL('contract.ts', import.meta.url).href)
  const script = `import { brokenPromises } from ${contract}; console.log(JSON.stringify(await brokenPromises('${kind}')))`
  const node = [process.execPath, '--input-type=module-typescript', '-e', script]
  const drop = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups', ...node]
  return JSON.parse(execFileSync('setpriv', drop, { encoding: 'utf8', cwd: '/', env: { PATH: process.env['PATH'] } }))
}

describe.each(KINDS)('%s layers keep every promise of the port', (kind) => {
  it.skipIf(kind === 'overlay' && hasNoCopies)('for this user', async () => {
    expect(await brokenPromises(kind)).toEqual({})
  })

  it.skipIf(process.geteuid?.() !== 0 || (kind === 'overlay' && hasNoCopies))('for an ordinary user, if this one is root', () => {
    expect(brokenForNobody(kind)).toEqual({})
  })
})
