import { test } from 'vitest'
import { killCount, STORE_KILLS } from './store-kills.ts'

const kills = killCount(200)

test.each(STORE_KILLS)(
  `%s killed before each of ${kills} disk writes: after the next launch %s`,
  { timeout: 20_000 * kills },
  async (_, __, kill) => {
    await kill(kills)
  },
)
