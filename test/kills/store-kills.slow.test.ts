import { test } from 'vitest'
import { STORE_KILLS } from './store-kills.ts'

test.each(STORE_KILLS)(
  '%s killed before any of 4 changes of the disk: after the next start %s',
  { timeout: 300_000 },
  async (_, __, kill) => {
    await kill(4)
  },
)
