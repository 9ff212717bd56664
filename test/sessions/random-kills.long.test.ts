import { describe, test } from 'vitest'
import { killAtRandom } from './support/random-kills.ts'

describe('kill -9 at any moment (fault 53)', () => {
  test('at 200 random moments: nothing acknowledged is lost, every call has an end, and the session continues', { timeout: 600_000 }, () =>
    killAtRandom(200),
  )
})
