import { contentText, type ModelContent } from '../../../shared/session/content.ts'
import type { CompactionReceipt } from '../../../shared/session/conversation-move.ts'
import type { LoggedTurn } from '../../../shared/session/conversation-turns.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** Maximum number of characters of the user's own messages that are kept word for word. The newest messages are preferred. */
const PINNED_CHARS = 12_000
/** If a message has more characters than this, only its beginning and its end are kept. */
const LONGEST_MESSAGE = 6_000
/** If not even the summary request would fit, long results are cut to this number of characters. */
const SHORT_RESULT = 1_500

const QUESTION = `Write a summary of the conversation so far that lets you continue the work without the rest of it. Do not call tools. Cover what applies, in this order:
1. What the user wants, with every constraint and preference they gave.
2. What was found: relevant files and places with their paths, and how things work.
3. What was changed, file by file, and why; what the user refused, with their notes.
4. Commands that were run and their results; failing tests with their messages.
5. Decisions, and what was tried and did not work.
6. What remains to be done, and the next step.
Be exact with names, paths, numbers and error messages. Leave out pleasantries.`

/** Maximum number of notes that one compaction proposes, and maximum number of characters of a note. Longer notes are dropped. */
const MAX_NOTES = 5
const NOTE_CHARS = 300

/** Added to the summary request if the user can sign edits of the memory file. */
const NOTES_QUESTION = `
After the summary, only if the conversation showed facts about this project that later sessions need and the memory file does not contain (a command that works, a rule, a pitfall), add them as at most ${MAX_NOTES} plain lines, without secrets and without details of the current task:
<remember>
- one fact
</remember>`

export interface SummaryWish {
  readonly why: CompactionReceipt['why']
  /** Whether the summary may propose notes for the memory file. */
  readonly proposesNotes: boolean
  /** What the user wants the summary to keep. Empty if nothing special. */
  readonly instructions: string
}

/** The unchanged conversation, so that the service's cache can be used, followed by the request for a summary. */
export function summaryTurns(turns: readonly LoggedTurn[], { why, proposesNotes, instructions }: SummaryWish): readonly LoggedTurn[] {
  const reason = why === 'manual' ? 'The user asked to compact the conversation.' : 'The context is nearly full.'
  const wish = instructions === '' ? [] : [`Instructions of the user for this summary:\n${instructions}`]
  const content = [`${reason} ${QUESTION}`, ...wish, ...(proposesNotes ? [NOTES_QUESTION] : [])].join('\n')
  return [...turns, { kind: 'steering', content }]
}

/** Splits the model's text into the summary and the notes it proposes. */
export function notesApart(written: string): { readonly summary: string; readonly notes: readonly string[] } {
  const block = /<remember>\n?([\s\S]*?)<\/remember>/u.exec(written)
  if (!block) return { summary: written, notes: [] }
  const lines = (block[1] ?? '').split('\n').map((line) => line.replace(/^\s*[-*]\s*/u, '').trim())
  const notes = lines.filter((line) => line !== '' && line.length <= NOTE_CHARS).slice(0, MAX_NOTES)
  return { summary: written.replace(block[0], '').trim(), notes }
}

/** Shortens a conversation that no longer fits: cuts long results first, then leaves out the oldest turns until the rest fits. */
export function shortenedTurns(turns: readonly LoggedTurn[], fitTokens: number): readonly LoggedTurn[] {
  const short = turns.map(shortened)
  let from = 0
  while (from < short.length - 1 && (estimateTokens(short.slice(from)) > fitTokens || short[from]?.kind === 'tool_results')) from++
  return short.slice(from)
}

function shortened(turn: LoggedTurn): LoggedTurn {
  if (turn.kind !== 'tool_results') return turn
  return { ...turn, results: turn.results.map((result) => ({ ...result, output: shortOutput(result.output) })) }
}

function shortOutput(output: ModelContent): string {
  return shortText(contentText(output), SHORT_RESULT)
}

function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  const half = most / 2
  return `${text.slice(0, half).toWellFormed()}\n[… ${text.length - most} characters left out …]\n${text.slice(-half).toWellFormed()}`
}

export interface Pinned {
  readonly texts: readonly string[]
  /** Number of older messages that did not fit. */
  readonly leftOut: number
}

/** The user's messages in these turns, oldest first. */
export function pinnedMessages(turns: readonly LoggedTurn[]): Pinned {
  const said = turns.flatMap((turn) => {
    const isPersons = turn.kind === 'user' || (turn.kind === 'steering' && turn.by === undefined)
    return isPersons ? [shortText(quotable(turn.content), LONGEST_MESSAGE)] : []
  })
  const texts: string[] = []
  let chars = 0
  for (const text of said.toReversed()) {
    if (chars + text.length > PINNED_CHARS) break
    chars += text.length
    texts.unshift(text)
  }
  return { texts, leftOut: said.length - texts.length }
}

/** A picture is replaced by a note, because the summary describes the picture. */
function quotable(content: Extract<LoggedTurn, { kind: 'user' }>['content']): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.kind === 'text' ? part.text : '[a picture]')).join('\n')
}

export interface KeptBeside {
  /** The project's memory file, if the prompt does not contain its current text. */
  readonly memory?: string
  /** The signed plan. */
  readonly keep?: readonly string[]
  /** Lines proposed for the project's memory file, which the user must sign. */
  readonly notes?: readonly string[]
}

/** The text that replaces the compacted turns. */
export function summaryText(summary: string, { texts, leftOut }: Pinned, { memory = '', keep = [], notes = [] }: KeptBeside = {}): string {
  const quoted = texts.map((text) => `<message>\n${text}\n</message>`).join('\n')
  const messages =
    texts.length === 0
      ? ''
      : `\nWhat the user said in that conversation, word for word${leftOut > 0 ? ' (older messages left out)' : ''}:\n${quoted}\n`
  const memoryPart = memory === '' ? '' : `\nThe current content of the project's memory file:\n<memory>\n${memory}\n</memory>\n`
  const wanted = keep.join('\n').slice(0, PINNED_CHARS).toWellFormed()
  const keepPart = wanted === '' ? '' : `\nText that must be kept word for word:\n<keep>\n${wanted}\n</keep>\n`
  return `<summary>\nThe conversation before this point was compacted to fit into the context.${messages}${memoryPart}${keepPart}\n${summary.trim()}\n</summary>\nContinue from here. The user does not see this summary.${proposal(notes)}`
}

const proposal = (notes: readonly string[]): string =>
  notes.length === 0
    ? ''
    : `\nFirst propose these notes for later sessions. Propose each note as one edit that adds a line to the project's memory file, unless the file already says it. The user signs or refuses each edit. Do not insist on a refused note.\n${notes.map((note) => `- ${note}`).join('\n')}`

/** Used if the model wrote no summary: lists what was done, taken from the calls. */
export function plainSummary(turns: readonly LoggedTurn[]): string {
  const calls = turns.flatMap((turn) => (turn.kind === 'assistant' ? turn.content.filter((part) => part.kind === 'tool_call') : []))
  const lines = calls.slice(-80).map(({ toolName, argsText }) => `- ${toolName} ${argsText.slice(0, 200).toWellFormed()}`)
  return `No summary was written. The newest calls were:\n${lines.join('\n') || '- none'}`
}
