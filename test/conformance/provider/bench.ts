import { onTestFinished } from 'vitest'
import type { Clock } from '../../../main/agent/ports/clock.ts'
import type { ProviderFailure } from '../../../main/agent/ports/provider.ts'
import type { OpenProvider } from '../../../main/providers/answer/stream-provider.ts'
import { STREAM_LIMITS, type StreamLimits } from '../../../main/providers/http/exchange.ts'
import type { ScriptedMessage } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import type { ContentPart } from '../../../shared/session/content.ts'
import { type Collected, collected, request } from '../../support/collected.ts'
import { call, message, type Script, type ScriptedModel, startScriptedModel, text, thinking } from '../../support/scripted-model.ts'

interface ProviderOptions {
  readonly url: string
  readonly key: string | null
  readonly clock: Clock
  readonly limits: StreamLimits
}

/** An adapter under test, with the facts about its wire format that the tests need. */
export interface ProviderSubject {
  readonly name: string
  readonly model: string
  open(options: ProviderOptions): OpenProvider
  /** Returns a message as frames of the vendor's event stream. */
  frames(answer: ScriptedMessage): readonly string[]
  /** The frame of an "overloaded" error that the service reports within a stream. */
  readonly overloadedFrame: string
  /** A frame of a kind that does not exist. */
  readonly unknownFrame: string
  /** A frame that only keeps the connection alive. */
  readonly pingFrame: string
  /** Returns the vendor's type for an HTTP error with this status. */
  errorType(status: number): string
  /** The number of frames of the answer "One two three" that together say "One two ". */
  readonly twoWords: number
  /** The index, counted from the end (-1 is the last frame), of the frame that completes an answer. */
  readonly terminalFrame: number
  /** Whether a call's arguments are sent as text, so that broken JSON and spaces arrive unchanged. */
  readonly rawArguments: boolean
  readonly needsKey: boolean
  /**
   * What the next request must contain for reasoning with the text `Hm-hm.` and the signature `c2lnbmF0dXJl`, and for the redacted
   * reasoning `cmVkYWN0ZWQ=`.
   */
  readonly opaque: readonly [string, string]
  /** Returns the content part that the adapter creates from reasoning. */
  thinkingPart(text: string, signature: string): ContentPart
}

export const TEST_KEY = 'sk-test-0123456789abcdef'

/** An answer with every kind of part, characters of one to four bytes, and escapes. */
export const RICH_ANSWER = message([
  thinking('Let me think.', 'c2lnbmF0dXJl'),
  text('Größe 日本 👩‍👩‍👧 "quoted" \\ \n line'),
  call('read_file', '{"file_path": "a\\u00e9.ts" , "limit":2}'),
  call('grep', { pattern: '日本|👍' }),
])

export interface Bench {
  readonly subject: ProviderSubject
  frames(answer: ScriptedMessage): string
  /** Creates a scripted model and a provider that uses it. Both are closed when the test ends. */
  asked(script: Script, options?: Partial<ProviderOptions>): Promise<{ readonly model: ScriptedModel; readonly provider: OpenProvider }>
  /** Returns the answer to one request. */
  answerTo(script: Script, options?: Partial<ProviderOptions>): Promise<Collected>
  failureOf(script: Script, options?: Partial<ProviderOptions>): Promise<ProviderFailure>
}

export function benchOf(subject: ProviderSubject): Bench {
  const asked: Bench['asked'] = async (script, options = {}) => {
    const model = await startScriptedModel(script)
    const provider = subject.open({ url: model.url, key: TEST_KEY, clock: systemClock, limits: STREAM_LIMITS, ...options })
    onTestFinished(async () => {
      provider.close()
      await model.close()
    })
    return { model, provider }
  }
  const answerTo: Bench['answerTo'] = async (script, options) => {
    const { provider } = await asked(script, options)
    return collected(provider.stream(request(subject.model), new AbortController().signal))
  }
  return {
    subject,
    frames: (answer) => subject.frames(answer).join(''),
    asked,
    answerTo,
    async failureOf(script, options) {
      const { failure } = await answerTo(script, options)
      if (!failure) throw new Error('There was an answer where a failure was expected.')
      return failure
    },
  }
}
