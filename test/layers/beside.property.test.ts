import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { randomRuns } from '../random-runs.ts'
import { openSequence, type Step } from './support/sequence.ts'

const file = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('agent edits' as const), file, slot: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('user edits' as const), file, slot: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('agent makes' as const), file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('agent deletes' as const), file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('user makes' as const), file }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('sign' as const), leave: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'refuse' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'take over' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
)

it.skipIf(hasNoCopies)(
  'after any sequence, the folder is exactly what was signed, and the layer the folder plus what is unsigned',
  { timeout: 1_200_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const sequence = await openSequence()
        try {
          for (const one of steps) await sequence.take(one)
          await sequence.take({ kind: 'take over' })
          await sequence.take({ kind: 'sign', leave: [] })
          expect(await sequence.asksFor()).toEqual([])
        } finally {
          await sequence.close()
        }
      }),
      { numRuns: randomRuns(60) },
    )
  },
)
