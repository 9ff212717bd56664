import { sequencePromises } from './sequence-promises.ts'

/** Each run uses the same sequences, so that a change is not blamed for an older fault. `sequences.long.test.ts` tries new sequences. */
sequencePromises(30, 1)
