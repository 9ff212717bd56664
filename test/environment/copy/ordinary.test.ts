import { expect, it } from 'vitest'
import ORDINARY from '../../approval/lines/ordinary.json' with { type: 'json' }
import { createPolicy } from '../../../main/approval/policy.ts'
import type { CommandEffect } from '../../../shared/session/effects.ts'
import { hasNoCopies, openCopies } from './support.ts'

/** Each line takes a few hundredths of a second, so only every sixth is tested here. The benchmark runs all lines. */
const ONE_IN = 6

it.skipIf(hasNoCopies)(
  'with a sandbox, ordinary commands that change nothing run without approval',
  async () => {
    const { copies, folder } = openCopies({ 'package.json': '{}', 'src/app.ts': 'useState\n', 'server.log': 'x\n' })
    const policy = createPolicy({ root: folder, home: null })
    for (const command of ORDINARY.reads.filter((_, at) => at % ONE_IN === 0)) {
      const effect = { kind: 'command', command, cwd: folder, outside: false, env: {}, timeoutMs: 1, destructive: false } as CommandEffect
      const [looked] = await policy.look([effect])
      for (const mode of ['ask', 'accept-edits', 'auto'] as const) {
        expect(policy.sandboxFor(looked as CommandEffect, mode, null), command).toBe('copy')
        expect(policy.judge([{ ...(looked as CommandEffect), sandbox: 'copy' }], mode).kind, command).toBe('allow')
      }
      const ended = await copies.run(command, { timeoutMs: 20_000 })
      expect([ended.changeSet.changes, ended.unfit, ended.secondTry], command).toEqual([[], null, null])
      await ended.drop()
    }
  },
  120_000,
)
