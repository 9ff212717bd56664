import type { ProviderId } from '../../../shared/session/content.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { RequestOptions } from '../../../shared/session/settings/request-options.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import { type BodyShape, CACHE_MARK, FREE_FORM, PLAIN_SHAPE } from '../body/body-shape.ts'
import { createLearned, type Learned } from '../catalogue/learned-from-refusals.ts'
import { withoutKey } from '../failures/redact-key.ts'
import { refusedMember } from '../failures/refused-member.ts'
import type { RemoteOptions, Sent, WireFormat } from './wire-format.ts'

/** How requests to this service differ from its standard format. */
export interface RequestShapes {
  next(request: ModelRequest): Sent
  without(sent: Sent, member: string): Sent
  learn(model: string, member: string): void
  tooLong(model: string, words: string): void
}

export function createRequestShapes(service: string, id: ProviderId, { learned, extra, clock }: RemoteOptions): RequestShapes {
  const known: Learned = learned ?? createLearned(clock.now)
  /** Equal shapes are the same object, so that the start of the body is not written again for each request. */
  const shapes = new Map<string, BodyShape>()
  const shapeOf = (options: RequestOptions, refused: readonly string[]): BodyShape | null => {
    const without = [...refused, ...(options.autoCache === false ? [CACHE_MARK] : [])]
    const body = { ...options.body, ...(options.safetySettings && { safetySettings: options.safetySettings }) }
    const tools = options.grounding === true && id === 'gemini' ? [{ googleSearch: {} }] : []
    if (without.length === 0 && tools.length === 0 && Object.keys(body).length === 0) return null
    const name = JSON.stringify([without, body, tools])
    const shape = shapes.get(name) ?? { without, body, tools }
    shapes.set(name, shape)
    return shape
  }
  return {
    next(request) {
      const options = extra?.() ?? {}
      const betas = options.betaHeaders ?? []
      const headers = { ...options.headers, ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }) }
      const shape = shapeOf(options, known.refused(service, request.model))
      return { request: shape ? { ...request, shape } : request, headers }
    },
    without({ request, headers }, member) {
      const { without, ...rest } = request.shape ?? PLAIN_SHAPE
      return { request: { ...request, shape: { ...rest, without: [...without, member] } }, headers }
    },
    learn: (model, member) => known.refuse(service, model, member),
    tooLong(model, words) {
      const tokens = tokenLimitIn(words)
      if (tokens !== null) known.setWindow(service, model, tokens)
    },
  }
}

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
export async function sentWithout(
  wire: WireFormat,
  shapes: RequestShapes,
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

/** Patterns of services' messages about a request with too many tokens. The first number is the limit. */
const LIMITS: readonly RegExp[] = [
  /maximum (?:context|model|prompt|input) length (?:is|of|\()? ?:?(\d[\d,]*)/i,
  /maximum context length of (\d[\d,]*)/i,
  /> ?(\d[\d,]*) maximum/i,
  /maximum number of tokens allowed \(?(\d[\d,]*)/i,
  /(?:context|limit) (?:size|length|window)[^\d]{0,30}(\d[\d,]*)/i,
  /while limit is (\d[\d,]*)/i,
  /range of input length should be \[\d+, ?(\d[\d,]*)/i,
  /"n_ctx":\s*(\d+)/,
]
/** Numbers below this one in a service's message are not token limits. */
const LEAST = 512

/** Null if the text states no limit. */
export function tokenLimitIn(words: string): number | null {
  for (const limit of LIMITS) {
    const tokens = Number(limit.exec(words)?.[1]?.replaceAll(',', ''))
    if (Number.isSafeInteger(tokens) && tokens >= LEAST) return tokens
  }
  return null
}
