import { expect, test } from 'vitest'
import { checkUndos } from '../support/undo-model.ts'

test('undo loses no bytes of anyone in 100,000 sequences', { timeout: 4 * 3_600_000 }, async () => {
  await expect(checkUndos(100_000)).resolves.toBeUndefined()
})
