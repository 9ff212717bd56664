import { partsText, tokensOf } from '../../shared/session/content.ts'
import type { AskModel } from '../hooks/prompt-hook.ts'
import { modelNamed } from '../providers/catalogue/catalogue.ts'
import type { Models } from './models.ts'

/** Asks with one request, without retries and without tools. */
export function askModel(models: Pick<Models, 'plain'>): AskModel {
  return async ({ model: of, wanted, system, question }, signal) => {
    const model = (wanted === null ? null : modelNamed(of.provider, wanted)) ?? of.model
    const found = await models.plain({ ...of, model })
    if (!found.ok) return { why: found.failure.what, cost: null }
    const { provider, cost } = found.value
    const request = { model, system, tools: [], turns: [{ kind: 'user', content: question }], effort: null } as const
    for await (const event of provider.stream(request, signal)) {
      if (event.kind !== 'finish' && event.kind !== 'failure') continue
      const { usage, parts } = event.kind === 'finish' ? event.answer : event.partial
      const spent = tokensOf(usage) > 0 ? { usage, costUsd: cost(usage) } : null
      return { ...(event.kind === 'finish' ? { text: partsText(parts) } : { why: event.failure.message }), cost: spent }
    }
    throw new Error('The stream of a provider ended without a finish event or a failure event.')
  }
}
