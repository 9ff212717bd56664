import { expect, it } from 'vitest'
import { hasNoCopies } from '../copy/support.ts'
import { killAtRandomMoments } from './kills.ts'

it.skipIf(hasNoCopies)('5 kills at random moments of six layers lose nothing, and leave nothing in the folder', async () => {
  await expect(killAtRandomMoments(5)).resolves.toBeUndefined()
})
