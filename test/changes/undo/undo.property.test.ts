import { expect, test } from 'vitest'
import { checkUndos } from '../support/undo-model.ts'

test('undo loses nobody’s bytes, and its report is exact, even if it is killed half way', { timeout: 300_000 }, async () => {
  await expect(checkUndos(1000)).resolves.toBeUndefined()
})
