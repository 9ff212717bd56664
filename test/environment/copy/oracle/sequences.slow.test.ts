import { sequencePromises } from './sequence-promises.ts'

sequencePromises(30)
