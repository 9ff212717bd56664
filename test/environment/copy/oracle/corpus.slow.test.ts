import { corpusPromises } from './corpus-promises.ts'

corpusPromises(45)
