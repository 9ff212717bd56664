import type { ContentPart } from '../../../shared/session/content.ts'
import type { AssistantTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import type { DurableEvent, SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { ProviderFailure } from '../ports/provider.ts'

type ModelName = Pick<SessionConfigured, 'provider' | 'model'>

/** Code of the warning after which a model no longer gets back the reasoning and signatures of its earlier answers. */
const REASONING_LEFT_OUT = 'reasoning_left_out'

/**
 * Which answers are sent back to their model without its reasoning and signatures, because the service refused these: it cannot read them
 * with another account or after a change, or never takes them. Derived only from the log, so that requests stay the same after a restart.
 */
export interface OmittedReasoning {
  add(event: DurableEvent): void
  /** Returns these turns as they are sent. Unchanged turns remain the same objects. */
  shown(turns: readonly Turn[]): readonly Turn[]
}

export function createOmittedReasoning(): OmittedReasoning {
  let config: ModelName = { provider: 'anthropic', model: '' }
  /** The answers of each model that may hold reasoning. */
  const seen = new Map<string, Set<readonly ContentPart[]>>()
  const see = ({ parts, ...model }: ModelName & { readonly parts: readonly ContentPart[] }): void => {
    const known = seen.get(keyOf(model)) ?? new Set()
    seen.set(keyOf(model), known.add(parts))
  }
  const refusals = new Map<string, number>()
  const omitted = new WeakSet<readonly ContentPart[]>()
  const made = new WeakMap<Turn, Turn>()
  const withoutReasoning = (turn: AssistantTurn): Turn => {
    // An answer of another model is sent without anything that only its own model can read.
    const shown = made.get(turn) ?? { ...turn, model: '' }
    made.set(turn, shown)
    return shown
  }
  return {
    add(event) {
      switch (event.kind) {
        case 'SESSION_START':
        case 'SESSION_CONFIGURED':
          config = { provider: event.provider, model: event.model }
          return
        case 'ASSISTANT_TURN':
          if (!event.parts.some(isReasoning)) return
          if ((refusals.get(keyOf(event)) ?? 0) >= NEVER_AFTER) omitted.add(event.parts)
          else see(event)
          return
        case 'WARNING':
          if (event.trouble.code !== REASONING_LEFT_OUT) return
          refusals.set(keyOf(config), (refusals.get(keyOf(config)) ?? 0) + 1)
          for (const parts of seen.get(keyOf(config)) ?? []) omitted.add(parts)
          seen.delete(keyOf(config))
          return
        default:
      }
    },
    shown: (turns) =>
      refusals.size === 0
        ? turns
        : turns.map((turn) => (turn.kind === 'assistant' && omitted.has(turn.content) ? withoutReasoning(turn) : turn)),
  }
}

/** After this many refusals, the reasoning of new answers is not sent back either. */
const NEVER_AFTER = 2

const keyOf = ({ provider, model }: ModelName): string => `${provider}\0${model}`

/** Whether only the model that wrote this part can read it, or a part of it. */
function isReasoning(part: ContentPart): boolean {
  return part.kind === 'thinking' || part.kind === 'opaque' || part.signature !== undefined
}

/** Whether the service would get reasoning or signatures back. */
export function holdReasoning(turns: readonly Turn[], { provider, model }: ModelName): boolean {
  return turns.some(
    (turn) => turn.kind === 'assistant' && turn.provider === provider && turn.model === model && turn.content.some(isReasoning),
  )
}

/**
 * Whether the refusal may be about reasoning or signatures. Services word this in many ways, or only say that the request is invalid, so
 * only refusals about something else are excluded.
 */
export function mayRefuseReasoning({ code, cause, status, message }: ProviderFailure): boolean {
  if (cause !== undefined || status === null) return false
  if (code === 'not_found') return /\brs_|\bitem\b.*not found/iu.test(message)
  return code === 'invalid_request' && (REASONING.test(message) || !/\b(tools?|functions?|schema)\b/iu.test(message))
}

const REASONING = /thinking|thought|signature|encrypted|reasoning/iu

/** `why`: the message of the service's refusal. */
export function reasoningLeftOut({ model }: ModelName, why: string): Trouble {
  return {
    code: REASONING_LEFT_OUT,
    what: `The request was refused, so it is repeated without the earlier reasoning of ${model}: ${why}`,
    kept: 'The reasoning stays in the ledger. The model gets its earlier answers, calls and results as before.',
    todo: 'No action needed.',
  }
}
