import { expect, test } from 'vitest'
import { checkUndos } from '../support/undo-model.ts'

const SEQUENCES = 100_000
/**
 * The number of sequences per random seed. The number of passed sequences is printed after each slice, so that a stopped run still has a
 * result.
 */
const SLICE = 1_000

test('an undo never loses anyone’s bytes, in 100,000 random sequences', { timeout: 4 * 3_600_000 }, async () => {
  const startedAt = performance.now()
  for (let passed = SLICE; passed <= SEQUENCES; passed += SLICE) {
    await expect(checkUndos(SLICE)).resolves.toBeUndefined()
    process.stderr.write(`${passed} of ${SEQUENCES} undo sequences passed in ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
  }
})
