import { it } from 'vitest'
import { killRounds } from './support/kill-rounds.ts'
import { tempFolder } from './support/temp-folder.ts'

it('fault 53: killed at 20 random moments, nothing acknowledged is lost and nothing is incomplete', { timeout: 120_000 }, async () => {
  await killRounds(tempFolder(), 20)
})
