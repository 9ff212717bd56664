import { it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { followSequences, PROMISE } from './sequences/follow-sequences.ts'

it.skipIf(hasNoCopies)(PROMISE, { timeout: 7_200_000 }, () => followSequences(3_000))
