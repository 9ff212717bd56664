import { Buffer } from 'node:buffer'
import { basename, relative, resolve } from 'node:path'
import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { isObject } from '../../../shared/lib/json.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import { AGENT_CALL_KINDS } from '../../../shared/tools/built-in/agent-step.ts'
import type { AgentActivity, AgentCallKind, AgentOutput } from '../../agent/ports/foreign-agent.ts'

/** `chars`: the length of the whole output, of which `tail` is the end. */
interface KnownOutput extends AgentOutput {
  readonly chars: number
}

/** What the updates of a call have reported so far. */
interface KnownCall {
  title: string
  kind: AgentCallKind
  input: JsonValue
  output: KnownOutput
  readonly paths: Set<string>
  /** Whether `call` was sent. */
  isBegun: boolean
  isEnded: boolean
}

/** Translates the agent's updates. They may come in any order: each call still begins once and ends once. */
export interface AgentActivities {
  of(update: SessionUpdate): readonly AgentActivity[]
  /** Call this before a request for permission is answered. Begins the call, because the request describes it well enough. */
  asked(call: ToolCallUpdate): readonly AgentActivity[]
  /** Call this at the end of a turn. Ends the calls that the agent has left open. */
  closeOpen(): readonly AgentActivity[]
}

/** Maximum number of characters of a tool's input, as JSON, that are kept. */
const MAX_INPUT_CHARS = 20_000
/** Maximum number of characters of a call's output that are kept, from its end. */
const MAX_OUTPUT_CHARS = 200_000

/** `cwd`: the folder to which paths are relative. */
export function createAgentActivities(cwd: string): AgentActivities {
  const calls = new Map<string, KnownCall>()

  const merged = (update: ToolCallUpdate): KnownCall => {
    const call = calls.get(update.toolCallId) ?? newCall()
    calls.set(update.toolCallId, call)
    if (update.title) call.title = update.title
    const kind = AGENT_CALL_KINDS.find((one) => one === update.kind)
    if (kind) call.kind = kind
    if (hasContent(update.rawInput)) call.input = kept(update.rawInput)
    call.output = outputAfter(call.output, update)
    for (const path of pathsIn(update)) call.paths.add(resolve(cwd, path))
    return call
  }
  const begin = (id: string, call: KnownCall): readonly AgentActivity[] => {
    if (call.isBegun) return []
    call.isBegun = true
    return [{ kind: 'call', call: { id, title: titleOf(call, cwd), kind: call.kind, input: call.input, paths: call.paths } }]
  }
  const ofCall = (update: ToolCallUpdate): readonly AgentActivity[] => {
    const known = calls.get(update.toolCallId)
    // Some agents repeat the call after its end.
    if (known?.isEnded) return []
    const before = known?.output ?? NO_OUTPUT
    const call = merged(update)
    const isOver = update.status === 'completed' || update.status === 'failed'
    const isKnown = isOver || update.status === 'in_progress' || known !== undefined || isTelling(call)
    const begun = isKnown ? begin(update.toolCallId, call) : []
    if (isOver) return [...begun, ...end(update.toolCallId, call, update.status === 'failed')]
    const isTold = call.isBegun && call.output !== before
    return isTold ? [...begun, { kind: 'call_output', id: update.toolCallId, output: call.output }] : begun
  }
  const end = (id: string, call: KnownCall, isError: boolean): readonly AgentActivity[] => {
    const output = textOf(call.output)
    call.isEnded = true
    call.output = NO_OUTPUT
    return [{ kind: 'call_end', id, output, isError }]
  }
  return {
    of(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return update.content.type === 'text' && update.content.text !== '' ? [{ kind: 'text', text: update.content.text }] : []
        case 'agent_thought_chunk':
          return update.content.type === 'text' && update.content.text !== '' ? [{ kind: 'thinking', text: update.content.text }] : []
        case 'tool_call':
        case 'tool_call_update':
          return ofCall(update)
        case 'plan':
          return [
            {
              kind: 'todos',
              todos: update.entries.map(({ content, priority, status }, at) => ({ id: String(at + 1), content, priority, status })),
            },
          ]
        case 'usage_update': {
          const { used, size, cost } = update
          return [{ kind: 'usage', usage: { used, size, costUsd: cost?.currency === 'USD' ? cost.amount : null } }]
        }
        default:
          return []
      }
    },
    asked: (update) => (calls.get(update.toolCallId)?.isEnded ? [] : begin(update.toolCallId, merged(update))),
    closeOpen() {
      const left = [...calls].filter(([, { isBegun, isEnded }]) => isBegun && !isEnded)
      const over = left.flatMap(([id, call]) => end(id, call, true))
      calls.clear()
      return over
    },
  }
}

const NO_OUTPUT: KnownOutput = { tail: '', bytes: 0, chars: 0 }

const newCall = (): KnownCall => ({
  title: '',
  kind: 'other',
  input: null,
  output: NO_OUTPUT,
  paths: new Set(),
  isBegun: false,
  isEnded: false,
})

/** Whether an announcement says what the call does. The first one often has only the name of the tool. */
function isTelling({ kind, input }: KnownCall): boolean {
  return kind === 'execute' ? isObject(input) && 'command' in input : hasContent(input)
}

/** The agent's own title. If that is only the name of a tool, the command or the files. */
function titleOf({ title, kind, input, paths }: KnownCall, cwd: string): string {
  const command = kind === 'execute' && isObject(input) ? input['command'] : null
  if (typeof command === 'string' && command !== '' && !title.includes(command)) return command
  const files = [...paths].map((path) => relative(cwd, path)).filter((path) => path !== '')
  const isNamed = files.some((path) => title.includes(basename(path)))
  if (FILE_KINDS.has(kind) && files.length > 0 && !isNamed) return files.join(', ')
  return title || 'Unnamed step'
}

const FILE_KINDS: ReadonlySet<AgentCallKind> = new Set(['read', 'edit', 'delete', 'move'])

function pathsIn({ locations, content }: ToolCallUpdate): readonly string[] {
  const diffs = (content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : []))
  return [...(locations ?? []).map(({ path }) => path), ...diffs]
}

function hasContent(input: unknown): boolean {
  return isObject(input) ? Object.keys(input).length > 0 : input !== undefined && input !== null
}

function kept(input: unknown): JsonValue {
  const text = JSON.stringify(input) ?? 'null'
  return text.length > MAX_INPUT_CHARS ? `${text.slice(0, MAX_INPUT_CHARS)} …` : (JSON.parse(text) as JsonValue)
}

/** Output of the agent's own terminals arrives in pieces, but content is always complete. Returns `before` itself if nothing is new. */
function outputAfter(before: KnownOutput, { content, rawOutput, _meta }: ToolCallUpdate): KnownOutput {
  const piece = terminalText(_meta?.['terminal_output_delta'])
  if (piece !== null) return longer(before, piece)
  const whole = terminalText(_meta?.['terminal_output'])
  // The convention does not say whether `terminal_output` replaces earlier output.
  if (whole !== null) return longer(before, goesOn(before, whole) ? whole.slice(before.chars) : whole)
  const text = (content ?? []).flatMap(textsOf).join('\n') || (before.chars === 0 ? rawText(rawOutput) : '')
  if (text === '') return before
  return goesOn(before, text) ? longer(before, text.slice(before.chars)) : longer(NO_OUTPUT, text)
}

const longer = (before: KnownOutput, text: string): KnownOutput =>
  text === ''
    ? before
    : {
        tail: (before.tail + text).slice(-MAX_OUTPUT_CHARS),
        bytes: before.bytes + Buffer.byteLength(text),
        chars: before.chars + text.length,
      }

/** Whether the text begins with the output so far. Only the kept part is compared. */
const goesOn = ({ tail, chars }: KnownOutput, text: string): boolean => text.startsWith(tail, chars - tail.length)

function textOf({ tail, chars }: KnownOutput): string {
  const left = chars - tail.length
  return left === 0 ? tail : `[The first ${left} characters of the output were not kept.]\n${tail}`
}

const textsOf = (part: ToolCallContent): readonly string[] =>
  part.type === 'content' && part.content.type === 'text' ? [part.content.text] : []

function terminalText(value: unknown): string | null {
  return isObject(value) && typeof value['data'] === 'string' ? value['data'] : null
}

/** The text of a result, whose field has a different name in each agent. Empty if there is none. */
function rawText(raw: unknown): string {
  if (typeof raw === 'string') return raw
  if (!isObject(raw)) return ''
  const found = ['formatted_output', 'output', 'stdout', 'error'].map((name) => raw[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : ''
}
