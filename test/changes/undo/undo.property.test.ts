import { expect, test } from 'vitest'
import { checkUndos } from '../support/undo-model.ts'

test(
  'undo loses no bytes of anyone, and what it calls done is exact, also when it is killed in the middle',
  { timeout: 120_000 },
  async () => {
    await expect(checkUndos(1000)).resolves.toBeUndefined()
  },
)
