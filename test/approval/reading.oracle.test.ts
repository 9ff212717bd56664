import { readingPromises } from './support/reading-promises.ts'

readingPromises({ oneIn: 4, made: 500 })
