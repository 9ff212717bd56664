import { ToolCallId, newId } from '../../shared/lib/ids.ts'
import { ok } from '../../shared/lib/result.ts'
import { NO_USAGE, type ContentPart } from '../../shared/session/content.ts'
import { bringInSpec } from '../../shared/tools/built-in/bring-in.ts'
import type { Model, ModelOf, RequestWithRetries } from '../agent/ports/model.ts'

/**
 * Answers for a session that brings in the work of another one. The steps are always the same, so no service is asked, and nothing is
 * spent. Each message calls `bring_in` once.
 */
export const bringInModel: ModelOf = ({ provider }) => {
  const model: Model = {
    provider: {
      id: provider,
      stream: () => {
        throw new Error('No service answers in a session that brings in changes.')
      },
    },
    contextWindow: null,
    systemPrompt: () => Promise.resolve('No model reads this.'),
    cost: () => 0,
    trouble: ({ code, message }) => ({ code, what: message, kept: 'The folder and the layer are unchanged.', todo: 'Bring in again.' }),
  }
  return Promise.resolve(ok(model))
}

interface BringInSteps {
  /** Called before the user is asked. */
  before(): Promise<unknown>
  /**
   * Called when the user has answered. `isApplied`: false if nothing was signed, or if what was signed could not be applied. Returns a
   * sentence about the changes that were not brought in.
   */
  after(isApplied: boolean): Promise<string>
}

/** Streams the answers of `bringInModel`. */
export function bringInRequest({ before, after }: BringInSteps): RequestWithRetries {
  return async function* (_provider, { turns }) {
    const last = turns.at(-1)
    const isCalled = last?.kind === 'tool_results'
    if (!isCalled) await before()
    const part: ContentPart = isCalled
      ? { kind: 'text', text: await after(!last.results.some(({ isError }) => isError)) }
      : { kind: 'tool_call', toolCallId: ToolCallId.parse(newId('call')), toolName: bringInSpec.name, argsText: '{}' }
    yield { kind: 'start' }
    yield { kind: 'finish', answer: { parts: [part], stopReason: isCalled ? 'stop' : 'tool_calls', responseId: null, usage: NO_USAGE } }
  }
}
