import { wordList } from '../../../shared/lib/word-list.ts'
import { z } from 'zod'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ContentPart, ProviderId, Usage } from '../../../shared/session/content.ts'
import { canonicalToolName, ForeignSessionLog } from './foreign-session-log.ts'
import type { Transcript, TranscriptReader } from './transcript.ts'

const line = z.looseObject({ timestamp: z.string().nullish(), type: z.string(), payload: z.looseObject({ type: z.string().nullish() }) })
const text = z.string().catch('')
const message = z.looseObject({ role: z.string(), content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })) })
const reasoning = z.looseObject({ summary: z.array(z.looseObject({ text })) })
const call = z.looseObject({ call_id: z.string().min(1), name: z.string() })
const localCall = z.looseObject({ call_id: z.string().min(1), action: z.looseObject({ command: z.array(z.string()) }) })
const output = z.looseObject({ call_id: z.string(), output: z.unknown().optional() })
const ended = z.looseObject({ call_id: z.string(), exit_code: z.number() })
const count = z.number().nonnegative().catch(0)
const tokens = z.looseObject({
  info: z.looseObject({
    last_token_usage: z.looseObject({
      input_tokens: count,
      cached_input_tokens: count,
      output_tokens: count,
      reasoning_output_tokens: count,
    }),
  }),
})

const REPEATED = 'Lines that repeat others'
const CONTEXT = 'Instructions that the program added itself'

/** Events that repeat a `response_item` or contain no part of the conversation. */
const REPEATING: ReadonlySet<string> = new Set(
  wordList(`
  user_message agent_message agent_reasoning agent_reasoning_section_break task_started task_complete turn_started turn_complete
  exec_command_begin patch_apply_begin patch_apply_end mcp_tool_call_begin mcp_tool_call_end web_search_begin web_search_end
  context_compacted
`),
)

/** Reads a rollout of Codex (`~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`). */
export class CodexLines implements TranscriptReader {
  private readonly blobs = new Map<BlobHash, Uint8Array>()
  private readonly leftOut = new Map<string, number>()
  private readonly log = new ForeignSessionLog('main', this.blobs)
  private readonly failedCalls = new Set<string>()
  private unknown = 0
  private at = 0
  private model = ''
  private isConversation = false
  private thinking: ContentPart[] = []
  private readonly skip = (why: string): void => void this.leftOut.set(why, (this.leftOut.get(why) ?? 0) + 1)
  private readonly keepUnknown = (raw: string): void => {
    this.unknown++
    this.log.unknown(this.at, raw)
  }
  private readonly answer = (...parts: readonly ContentPart[]): void => {
    this.log.answer(this.at, this.model, [...this.thinking, ...parts])
    this.thinking = []
  }
  private readonly called = (callId: string, name: string, argsText: string): void =>
    this.answer({ kind: 'tool_call', toolCallId: callId as ToolCallId, toolName: canonicalToolName(name), argsText })
  private readonly said = (payload: unknown): boolean => {
    const found = message.safeParse(payload)
    if (!found.success) return false
    const words = found.data.content.map((part) => part.text ?? `[${part.type}]`).join('\n')
    if (found.data.role === 'assistant') this.answer({ kind: 'text', text: words })
    else if (found.data.role !== 'user' || isAdded(words)) this.skip(CONTEXT)
    else this.log.prompt(this.at, words)
    return true
  }
  private readonly item = (payload: z.infer<typeof line>['payload']): boolean => {
    switch (payload.type) {
      case 'message':
        return this.said(payload)
      case 'reasoning': {
        const found = reasoning.safeParse(payload)
        const words = found.data?.summary.map((part) => part.text).join('\n') ?? ''
        if (words) this.thinking.push({ kind: 'thinking', text: words, signature: null })
        return found.success
      }
      case 'function_call':
      case 'custom_tool_call': {
        const found = call.safeParse(payload)
        if (!found.success) return false
        const given = payload['arguments'] ?? payload['input']
        this.called(found.data.call_id, found.data.name, argumentsOf(payload.type, given))
        return true
      }
      case 'local_shell_call': {
        const found = localCall.safeParse(payload)
        if (found.success) this.called(found.data.call_id, 'local_shell', JSON.stringify({ command: commandOf(found.data.action.command) }))
        return found.success
      }
      case 'web_search_call': {
        const id = `search-${this.log.mark()}`
        this.called(id, 'WebSearch', JSON.stringify(payload['action'] ?? {}))
        this.log.result(id, '', { at: this.at })
        return true
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output': {
        const found = output.safeParse(payload)
        if (!found.success) return false
        const { call_id: callId } = found.data
        const result = outputOf(found.data.output)
        return this.log.result(callId, result.text, { at: this.at, isError: result.isError || this.failedCalls.has(callId) })
      }
      default:
        return false
    }
  }
  private readonly happened = (payload: z.infer<typeof line>['payload']): boolean => {
    if (payload.type === 'token_count') {
      const found = tokens.safeParse(payload)
      if (found.success) this.log.used(this.at, usageOf(found.data.info.last_token_usage))
      else this.skip(REPEATED)
      return true
    }
    if (payload.type === 'exec_command_end') {
      const found = ended.safeParse(payload)
      if (found.success && found.data.exit_code !== 0) this.failedCalls.add(found.data.call_id)
      return true
    }
    if (!REPEATING.has(payload.type ?? '')) return false
    this.skip(REPEATED)
    return true
  }

  add(value: unknown, raw: string): void {
    const parsed = line.safeParse(value)
    if (!parsed.success) return this.keepUnknown(raw)
    const { type, timestamp, payload } = parsed.data
    const time = timestamp ? Date.parse(timestamp) : Number.NaN
    if (!Number.isNaN(time)) this.at = time
    const { cwd, model: named } = payload
    switch (type) {
      case 'session_meta':
        this.isConversation = true
        return this.log.describe({ ...(typeof cwd === 'string' && { cwd }), provider: providerOf(payload['model_provider']) })
      case 'turn_context':
        if (typeof named === 'string') this.log.describe({ model: (this.model = named) })
        return this.skip(CONTEXT)
      case 'response_item':
        this.isConversation = true
        if (!this.item(payload)) this.keepUnknown(raw)
        return
      case 'compacted':
        this.log.note(this.at, 'Codex replaced the conversation so far with a summary.', text.parse(payload['message']))
        return
      case 'event_msg':
        if (!this.happened(payload)) this.keepUnknown(raw)
        return
      default:
        return this.keepUnknown(raw)
    }
  }

  end(): Transcript | null {
    this.answer()
    return this.isConversation
      ? { source: 'codex', sessions: [this.log.end()], blobs: this.blobs, unknown: this.unknown, leftOut: this.leftOut }
      : null
  }
}

const isAdded = (words: string): boolean =>
  /^\s*(?:<(?:environment_context|user_instructions|permissions)|# AGENTS\.md instructions)/u.test(words)

const providerOf = (name: unknown): ProviderId =>
  name === undefined || name === null || name === 'openai' ? 'openai' : 'openai-compatible'

/** The text of a command that was started without a shell, or with `bash -lc`. */
function commandOf(argv: readonly string[]): string {
  const [shell = '', flag = '', script] = argv
  if (argv.length === 3 && script !== undefined && /(?:^|\/)(?:ba|z|da)?sh$/u.test(shell) && /^-l?c$/u.test(flag)) return script
  return argv.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ')
}

/** The arguments as a JSON object. The command may be called `cmd`, and may be a list of words. */
function argumentsOf(type: string, given: unknown): string {
  if (typeof given !== 'string') return JSON.stringify(given ?? {})
  if (type === 'custom_tool_call') return JSON.stringify({ input: given })
  try {
    const args = JSON.parse(given) as Record<string, unknown> | null
    const command = args?.['command'] ?? args?.['cmd']
    if (Array.isArray(command)) return JSON.stringify({ ...args, command: commandOf(command.map(String)) })
    if (typeof command === 'string') return JSON.stringify({ ...args, command })
  } catch {
    // The arguments are kept unchanged, so that the call shows that they were not JSON.
  }
  return given
}

interface Output {
  readonly text: string
  readonly isError: boolean
}

/** Reads a string, JSON with `output` and an exit code, or a list of parts. */
function outputOf(value: unknown): Output {
  if (typeof value !== 'string') return { text: JSON.stringify(value ?? ''), isError: false }
  try {
    const parsed = z
      .looseObject({ output: z.string(), metadata: z.looseObject({ exit_code: z.number().catch(0) }).optional() })
      .safeParse(JSON.parse(value))
    if (parsed.success) return { text: parsed.data.output, isError: (parsed.data.metadata?.exit_code ?? 0) !== 0 }
  } catch {
    // The output is plain text.
  }
  return { text: value, isError: false }
}

type TokenCounts = z.infer<typeof tokens>['info']['last_token_usage']

function usageOf({ input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens }: TokenCounts): Usage {
  return {
    input: Math.max(0, input_tokens - cached_input_tokens),
    output: output_tokens,
    cacheRead: cached_input_tokens,
    cacheWrite: 0,
    reasoning: reasoning_output_tokens,
  }
}
