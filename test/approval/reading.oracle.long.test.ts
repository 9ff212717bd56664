import { readingPromises } from './support/reading-promises.ts'

readingPromises({ oneIn: 1, made: 20_000 })
