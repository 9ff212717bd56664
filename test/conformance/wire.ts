import { describe } from 'vitest'
import { carriesCalls, carriesStreams } from './wire-calls.ts'
import { carriesMessages } from './wire-messages.ts'
import { refuses } from './wire-refusals.ts'
import type { WirePair } from './wire-served.ts'

/** What every wire promises (DESIGN §3 "Wire"), whatever carries it. */
export function wireConformance(name: string, open: () => Promise<WirePair>): void {
  describe(`${name}: carries messages`, () => {
    carriesMessages(open)
  })
  describe(`${name}: carries calls`, () => {
    carriesCalls(open)
  })
  describe(`${name}: carries streams`, () => {
    carriesStreams(open)
  })
  describe(`${name}: refuses invalid input`, () => {
    refuses(open)
  })
}
