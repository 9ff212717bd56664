import { z } from 'zod'
import type { CheckItem } from '../../../../shared/api/bring-in.ts'
import type { BrowserStorage } from '../browser-storage.ts'
import { createRequestDrafts, type RequestDrafts } from './request-drafts.ts'

/** How the last check of a request ended. `amendments`: what the user would have signed then, as JSON. */
export interface CheckOutcome {
  readonly item: Extract<CheckItem, { kind: 'ended' }>
  readonly command: string
  readonly amendments: string
}

const CheckOutcome: z.ZodType<CheckOutcome> = z.object({
  item: z.object({ kind: z.literal('ended'), passed: z.boolean(), why: z.string(), tail: z.string(), durationMs: z.number() }),
  command: z.string(),
  amendments: z.string(),
})

/** Keeps outcomes while another request is shown and over a reload, so that signing after a failed check is always a hold. */
export function createCheckOutcomes(storage: BrowserStorage | null): RequestDrafts<CheckOutcome> {
  return createRequestDrafts(storage, 'checks', CheckOutcome)
}
