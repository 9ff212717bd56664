import { describe } from 'vitest'
import { carriesCalls, carriesStreams } from './wire-calls.ts'
import { carriesMessages } from './wire-messages.ts'
import { refuses } from './wire-refusals.ts'
import type { WirePair } from './wire-served.ts'

/** Tests the promises of every wire (DESIGN §3 "Wire"), on any transport. */
export function wireConformance(name: string, open: () => Promise<WirePair>): void {
  describe(`${name}: transports messages`, () => {
    carriesMessages(open)
  })
  describe(`${name}: transports calls`, () => {
    carriesCalls(open)
  })
  describe(`${name}: transports streams`, () => {
    carriesStreams(open)
  })
  describe(`${name}: refuses invalid input`, () => {
    refuses(open)
  })
}
