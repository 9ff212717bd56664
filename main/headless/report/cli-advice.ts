import type { ProviderId } from '../../../shared/session/content.ts'
import { limitTrouble, type TurnLimit } from '../../../shared/session/limit-trouble.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import type { SessionEvent, Trouble } from '../../../shared/session/events.ts'
import { providerEntry } from '../../providers/provider-registry.ts'

/** Replaces advice about the desktop's settings with advice about environment variables and options. */
export function withCliAdvice(trouble: Trouble, provider: ProviderId): Trouble {
  // Advice that does not mention Settings is valid here too, and may be more specific.
  const knowsMore = (trouble.code === 'network' || trouble.code === 'configuration') && !trouble.todo.includes('Settings')
  const todo = knowsMore ? null : remedy(trouble.code, provider)
  return todo === null ? trouble : { ...trouble, todo }
}

function remedy(code: string, provider: ProviderId): string | null {
  const { keyVariables, baseUrlVariable } = providerEntry(provider)
  const key = keyVariables.join(' or ')
  const address = ['--base-url', ...(baseUrlVariable ? [baseUrlVariable] : [])].join(' or ')
  switch (code) {
    case 'no_key':
      return `Set ${key} in the environment and start again, or play the rehearsal, which needs no key: --rehearse`
    case 'authentication':
      return `Set ${key} to another key, then start again.`
    case 'access_denied':
      return `Choose another model (--model), or set ${key} to a key that may use this model.`
    case 'not_found':
      return `Choose another model (--model), or correct the address (${address}).`
    case 'base_url':
      return `Correct the address (${address}), or choose another provider (--provider), then start again.`
    case 'configuration':
      return `Check the provider (--provider), the model (--model) and the address (${address}), then start again.`
    case 'no_price':
      return 'Limit the tokens (--max-tokens) instead of the dollars, or choose another model (--model).'
    case 'network':
    case 'malformed':
      return `Check that the server runs and can be reached, and that its address (${address}) is correct, then start again.`
    default:
      return null
  }
}

/** Returns the event with advice for the command line in its trouble, or in that of a subagent. */
export function eventWithCommandLineAdvice<E extends SessionEvent>(event: E, provider: ProviderId): E {
  if (event.kind === 'ERROR') return { ...event, error: withCliAdvice(event.error, provider) }
  if (event.kind === 'SUBAGENT_EVENT') return { ...event, event: eventWithCommandLineAdvice(event.event, provider) }
  return event
}

/** A limit that ended the turn, described with the option that raises it. */
export function limitWithCommandLineAdvice(event: TurnLimit): Trouble {
  return { ...limitTrouble(event), todo: `Resume in a window (npm start), or start again with a higher ${OPTIONS[event.reason]}.` }
}

const OPTIONS: Readonly<Record<TurnLimit['reason'], string>> = {
  max_tool_rounds: '--max-rounds',
  max_turns: 'limit',
  tokens: '--max-tokens',
  cost: '--max-usd',
  time: 'limit',
  turn_tokens: '--max-turn-tokens',
  turn_cost: '--max-turn-usd',
}

export interface EndFacts {
  readonly state: SessionState
  /** The newest error or limit. */
  readonly trouble: Trouble | null
  /** Where the session is stored. */
  readonly dataFolder: string
}

/** Why a turn did not finish, for standard error. Null if it did. */
export function endTrouble({ state, trouble, dataFolder }: EndFacts): Trouble | null {
  const place = `session ${state.sessionId} in ${dataFolder}`
  switch (state.ended) {
    case 'completed':
      return null
    case 'stopped':
      if (trouble === null)
        return {
          code: 'stopped',
          what: 'The run was stopped.',
          kept: `Everything done so far is kept: ${place}.`,
          todo: 'Resume in a window (npm start), or start again.',
        }
      break
    default:
  }
  const why = trouble ?? UNKNOWN
  return { ...why, kept: `${why.kept} (${place})` }
}

const UNKNOWN: Trouble = {
  code: 'unknown',
  what: 'The turn did not finish.',
  kept: 'Everything done so far is kept.',
  todo: 'Resume in a window (npm start), or start again.',
}
