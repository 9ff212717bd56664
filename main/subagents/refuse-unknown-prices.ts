import { failed } from '../../shared/lib/result.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import type { ModelOf } from '../agent/ports/model.ts'

export interface RefuseUnknownPricesParts {
  readonly modelOf: ModelOf
  /** Whether spending is limited, for this session or its family. */
  isLimited(): boolean
  costIsKnown(config: SessionConfigured): boolean
  /** Whether the cost so far is known. */
  sumIsKnown(): boolean
}

/** While spending is limited, models with an unknown price are not used, because the limit could not be enforced. */
export function refuseUnknownPrices({ modelOf, isLimited, costIsKnown, sumIsKnown }: RefuseUnknownPricesParts): ModelOf {
  return (config) => {
    if (!isLimited() || config.provider === 'rehearsal') return modelOf(config)
    if (!costIsKnown(config)) return Promise.resolve(failed(noPrice(config)))
    return sumIsKnown() ? modelOf(config) : Promise.resolve(failed(NO_SUM))
  }
}

function noPrice({ model }: SessionConfigured): Trouble {
  return {
    code: 'no_price',
    what: `The price of ${model} is not known, so a budget in dollars cannot be enforced.`,
    kept: 'Your message and everything done so far are kept. No request was sent to the model.',
    todo: 'Limit the tokens instead of the dollars, or choose another model.',
  }
}

const NO_SUM: Trouble = {
  code: 'no_price',
  what: 'The cost of this session is not known, because it used a model without a known price. A budget in dollars cannot be enforced.',
  kept: 'Your message and everything done so far are kept. No request was sent to the model.',
  todo: 'Limit the tokens instead of the dollars, or start a new session.',
}
