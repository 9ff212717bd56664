import { it } from 'vitest'
import { killRounds } from './support/kill-rounds.ts'
import { tempFolder } from './support/temp-folder.ts'

it('fault 53: 20 kills at random moments lose nothing acknowledged and leave nothing incomplete', { timeout: 120_000 }, async () => {
  await killRounds(tempFolder(), 20)
})
