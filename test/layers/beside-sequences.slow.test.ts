import { it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { followSequences, PROMISE } from './sequences/follow-sequences.ts'

it.skipIf(hasNoCopies)(PROMISE, { timeout: 3_600_000 }, () => followSequences(120))
