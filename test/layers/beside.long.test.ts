import { it } from 'vitest'
import { followSequences, PROMISE } from './sequences/follow-sequences.ts'

it(PROMISE, { timeout: 7_200_000 }, () => followSequences(3_000))
