import type { ProviderId } from '../../../shared/session/content.ts'
import type { RequestOptions } from '../../../shared/session/settings/request-options.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import { type BodyOverrides, CACHE_MARK, NO_OVERRIDES } from '../body/body-overrides.ts'
import { createLearned, type Learned } from '../catalogue/learned-from-refusals.ts'
import { tokenLimitIn } from '../failures/token-limit.ts'
import type { RemoteOptions, Sent } from './wire-format.ts'

/** How requests to this service differ from its standard format. */
export interface RequestOverrides {
  next(request: ModelRequest): Sent
  without(sent: Sent, member: string): Sent
  learn(model: string, member: string): void
  tooLong(model: string, words: string): void
}

export function createRequestOverrides(service: string, id: ProviderId, { learned, extra, clock }: RemoteOptions): RequestOverrides {
  const known: Learned = learned ?? createLearned(clock.now)
  /** Equal shapes are the same object, so that the start of the body is not written again for each request. */
  const shapes = new Map<string, BodyOverrides>()
  const shapeOf = (options: RequestOptions, refused: readonly string[]): BodyOverrides | null => {
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
      const { without, ...rest } = request.shape ?? NO_OVERRIDES
      return { request: { ...request, shape: { ...rest, without: [...without, member] } }, headers }
    },
    learn: (model, member) => known.refuse(service, model, member),
    tooLong(model, words) {
      const tokens = tokenLimitIn(words)
      if (tokens !== null) known.setWindow(service, model, tokens)
    },
  }
}
