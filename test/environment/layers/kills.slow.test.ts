import { expect, it } from 'vitest'
import { hasNoCopies } from '../copy/support.ts'
import { killAtRandomMoments } from './kills.ts'

it.skipIf(hasNoCopies)(
  '50 kills at random moments of six layers lose nothing, and leave nothing in the folder',
  async () => {
    await expect(killAtRandomMoments(50)).resolves.toBeUndefined()
  },
  900_000,
)
