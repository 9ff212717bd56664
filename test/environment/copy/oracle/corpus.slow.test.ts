import { corpusPromises } from './corpus-promises.ts'

/** Each run uses the same lines, so that a change is not blamed for an older fault. `corpus.long.test.ts` tries new lines. */
corpusPromises(60, 12, 1)
