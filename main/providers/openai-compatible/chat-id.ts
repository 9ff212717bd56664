import type { Target } from '../body/body-format.ts'
import { shortId, wireId } from '../body/wire-text.ts'

/** Mistral's models are given ids of nine letters and digits only; what another made is written so. */
export function idFor(toolCallId: string, { model }: Target): string {
  return isMistral(model) ? shortId(toolCallId) : wireId(toolCallId)
}

export function isMistral(model: string): boolean {
  return /(mi|mini|magi|code|dev)stral|(mix|pix)tral/i.test(model)
}
