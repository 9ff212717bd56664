import { sequencePromises } from './sequence-promises.ts'

sequencePromises(3_000)
