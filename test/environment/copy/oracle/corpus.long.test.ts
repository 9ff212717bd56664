import { corpusPromises } from './corpus-promises.ts'

corpusPromises(1, 1_000)
