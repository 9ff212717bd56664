import { failed } from '../../../shared/lib/result.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { ModelOf } from '../ports/model.ts'

export interface LimitedMoneyParts {
  readonly modelOf: ModelOf
  /** Whether there is a limit of money, its own or its family's. */
  isLimited(): boolean
  costIsKnown(config: SessionConfigured): boolean
}

/** While money is limited no model is asked whose answers cost nobody knows what: the limit could not be kept. */
export function withLimitedMoney({ modelOf, isLimited, costIsKnown }: LimitedMoneyParts): ModelOf {
  return (config) => (!isLimited() || costIsKnown(config) ? modelOf(config) : Promise.resolve(failed(noPrice(config))))
}

function noPrice({ model }: SessionConfigured): Trouble {
  return {
    code: 'no_price',
    what: `The price of ${model} is not known, so that a budget in dollars cannot be kept.`,
    kept: 'Your message, and all that was done so far; nothing was asked of the model.',
    todo: 'Limit the tokens instead of the dollars, or choose another model.',
  }
}
