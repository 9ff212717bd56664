import { corpusPromises } from './corpus-promises.ts'

corpusPromises(60, 12)
