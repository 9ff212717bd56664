import type { ModelRequest } from '../../main/agent/ports/provider.ts'
import { anthropicBody } from '../../main/providers/anthropic/anthropic-body.ts'
import type { BodyFormat } from '../../main/providers/body/body-format.ts'
import { createBodyWriter } from '../../main/providers/body/body-writer.ts'
import { geminiBody } from '../../main/providers/gemini/gemini-body.ts'
import { chatBody } from '../../main/providers/openai-compatible/chat-body.ts'
import { responsesBody } from '../../main/providers/openai/responses-body.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { type Figure, median } from './figures.ts'

const ROUNDS = 1000
/** The number of characters in the result of a round: one screen of a file. */
const RESULT = 2_000

const FORMATS: readonly (readonly [string, BodyFormat])[] = [
  ['Anthropic', anthropicBody('anthropic')],
  ['OpenAI Responses', responsesBody],
  ['Chat Completions', chatBody],
  ['Gemini', geminiBody],
]

/**
 * Shows that the time to write a request body does not grow with the conversation (DESIGN §10), up to a thousand rounds and for each wire
 * format.
 */
export function benchRequests(): readonly Figure[] {
  return FORMATS.map(([name, format]) => {
    conversation(format)
    const { ms, bytes } = conversation(format)
    const early = median(ms.slice(20, 70))
    const late = median(ms.slice(-50))
    const said = (value: number): string => `${(value * 1000).toFixed(0)} µs`
    return {
      promise: `the request of round 1000, ${name}`,
      value: `${said(late)}, rounds 951 to 1000 / 21 to 70: ${(late / early).toFixed(2)} × (${(bytes / 1e6).toFixed(1)} MB)`,
      method: `medians over 50 rounds of one conversation that grows by a call and a result of ${RESULT} characters, second run; turns keep their identity, as in the agent`,
    }
  })
}

function conversation(format: BodyFormat) {
  const write = createBodyWriter(format)
  const turns: Turn[] = [{ kind: 'user', content: 'go' }]
  const fixed = { model: 'bench', system: 'You are measured.', tools: [], effort: null } satisfies Omit<ModelRequest, 'turns'>
  const ms: number[] = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    turns.push(...roundOf(round, format))
    const request = { ...fixed, turns: [...turns] }
    const startedAt = performance.now()
    const pieces = write(request)
    ms.push(performance.now() - startedAt)
    bytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }
  return { ms, bytes }
}

function roundOf(round: number, { provider }: BodyFormat): readonly Turn[] {
  const toolCallId = ToolCallId.parse(`call_${round}`)
  const argsText = JSON.stringify({ file_path: `src/file-${round}.ts` })
  const content = [{ kind: 'tool_call', toolCallId, toolName: 'read_file', argsText }] as const
  const output = `line ${round} of a file\n`.repeat(RESULT / 20).slice(0, RESULT)
  return [
    { kind: 'assistant', content, provider, model: 'bench', usage: NO_USAGE, responseId: null },
    { kind: 'tool_results', results: [{ toolCallId, toolName: 'read_file', output, isError: false }] },
  ]
}
