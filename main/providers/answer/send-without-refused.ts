import type { Trouble } from '../../../shared/session/events.ts'
import { FREE_FORM } from '../body/body-overrides.ts'
import { withoutKey } from '../failures/redact-key.ts'
import { refusedMember } from '../failures/refused-member.ts'
import type { RequestOverrides } from './request-overrides.ts'
import type { Sent, WireFormat } from './wire-format.ts'

export interface LeftOut {
  readonly member: string
  /** The service's own message. */
  readonly words: string
}

/** Maximum number of members that are left out of one request, each after a rejection. */
const MAX_LEFT_OUT_MEMBERS = 4

/**
 * Sends a request. If the service rejects an optional member, sends the request again without that member. If the service then accepts the
 * request, remembers the members that were left out. Rejects with the first error that does not mention an optional member.
 */
export async function sendWithoutRefused(
  wire: WireFormat,
  shapes: RequestOverrides,
  first: Sent,
  key: string,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly left: readonly LeftOut[] }> {
  const left: LeftOut[] = []
  for (let sent = first; ;) {
    try {
      const response = await wire.send(sent, key, signal)
      for (const { member } of left) shapes.learn(first.request.model, member)
      return { response, left }
    } catch (error) {
      const member = left.length < MAX_LEFT_OUT_MEMBERS && !signal.aborted ? refusedMember(error, wire.bodyStart(sent.request)) : null
      if (member === null) throw error
      left.push({ member, words: error instanceof Error ? error.message : '' })
      sent = shapes.without(sent, member)
    }
  }
}

/** The message to the user about a member that is left out from now on. */
export function leftOut(service: string, model: string, { member, words }: LeftOut, key: string | null): Trouble {
  const name = member === FREE_FORM ? 'tools called with plain text' : member
  const said = withoutKey(words, key).replace(/^\d+ /, '').slice(0, 300)
  return {
    code: 'member_left_out',
    what: `${service} refused “${name}” for ${model}, so the request was repeated without it.${said === '' ? '' : ` It said: ${said}`}`,
    kept: `The rest of the request was sent. For a week, requests to ${model} leave out “${name}”. After that, Countersign tries it again.`,
    todo: /verif/i.test(said) ? 'No action needed. To use this feature, verify your organization with the service.' : 'No action needed.',
  }
}
