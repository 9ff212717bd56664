import { setImmediate } from 'node:timers/promises'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type Amendment, canDecideLater } from '../../../shared/session/amendment.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { type Bytes, rowsOfEffects } from './effect-rows.ts'
import { visibleLine } from '../report/visible-text.ts'
import type { TerminalLines } from './terminal-lines.ts'

/** `later`: the request stays open. `closed`: no answer will come. `void`: the request was answered elsewhere or withdrawn. */
export type PersonReply =
  | { readonly kind: 'sign'; readonly reply?: SignatureReply; readonly amendments?: readonly Amendment[] }
  | { readonly kind: 'refuse'; readonly note: string | null }
  | { readonly kind: 'later' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'void' }

export interface AskParts {
  readonly lines: TerminalLines
  readonly bytes: Bytes
  readonly width: () => number | null
  /** Aborted when the request no longer needs an answer. */
  readonly signal: AbortSignal
}

/** Number of rows that are shown at a time. `m` shows the next rows. */
const PAGE = 200

/**
 * Shows the exact effects, then asks. `y` signs (a destructive call needs the full word `yes`), `n` refuses, and any other text refuses
 * with the text as a message. If the request can be decided later, `l` leaves it open, and `l FILE…` signs it without these files.
 */
export async function askPerson({ effects, approval }: CallItem, { lines, bytes, width, signal }: AskParts): Promise<PersonReply> {
  let rows: readonly string[]
  try {
    rows = await rowsOfEffects(effects, bytes, width())
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { kind: 'refuse', note: `The request could not be displayed, so it was not signed: ${error.trouble.what}` }
  }
  const yes = approval?.destructive ? 'yes (in full: it cannot be undone)' : 'y'
  const plan = effects.find((effect) => effect.kind === 'mode')?.document
  const waits = canDecideLater(effects) ? 'l (later), l FILE… (these later, the rest signed), ' : ''
  const how = plan ? 'y, “y, but …” with a condition' : yes
  let shown = 0
  const show = (): void => {
    lines.write(`${rows.slice(shown, shown + PAGE).join('\n')}\n`)
    shown = Math.min(shown + PAGE, rows.length)
  }
  show()
  for (;;) {
    const rest = rows.length - shown
    if (rest > 0) lines.write(`   … ${rest} more lines not shown yet.\n`)
    const more = rest > 0 ? `m (${Math.min(rest, PAGE)} more lines), ` : ''
    // The pause lets the terminal's buffered input be read first, so that text typed earlier is not mistaken for the answer.
    await setImmediate()
    const typed = await lines.ask(`   Sign it? ${how}, n, ${waits}${more}or a message to the agent: `, signal)
    if (typed.kind !== 'line') return typed
    const said = typed.text.trim()
    // This pattern matches an answer such as "y, but keep the old name".
    const condition = /^y(?:es)?[,;]?\s+(?:but|if|provided|on condition that)\b[,:]?\s*(.+)$/iu.exec(said)?.[1] ?? null
    const later = waits === '' ? null : /^l(?:ater)?(?:\s+(.+))?$/iu.exec(said)
    const named = later?.[1] === undefined ? null : filesNamed(later[1], effects)
    if (rest > 0 && /^m(ore)?$/i.test(said)) show()
    else if (named && 'unknown' in named) lines.write(`   This request changes no file ${visibleLine(named.unknown)}.\n`)
    else if (named && approval?.destructive) lines.write('   Sign all of it with yes in full, or leave all of it for later with l.\n')
    else if (later) return named && named.left > 0 ? { kind: 'sign', amendments: named.amendments } : { kind: 'later' }
    else if (/^yes$/i.test(said) || (/^y$/i.test(said) && !approval?.destructive)) return { kind: 'sign' }
    else if (plan && condition !== null) return { kind: 'sign', reply: { kind: 'plan', plan, condition, asksOutside: true } }
    else if (/^y$/i.test(said)) lines.write('   Type yes in full, or n.\n')
    else return { kind: 'refuse', note: /^(no?)?$/i.test(said) ? null : said }
  }
}

type NamedFiles = { readonly amendments: readonly Amendment[]; readonly left: number } | { readonly unknown: string }

/** The files of a request that a person named, separated by spaces, or as one name with spaces. `left`: the number of its other files. */
function filesNamed(typed: string, effects: readonly Effect[]): NamedFiles {
  const paths = new Map(effects.flatMap((effect) => ('path' in effect && 'shown' in effect ? [[effect.shown, effect.path]] : [])))
  const names = paths.has(typed) ? [typed] : [...new Set(typed.split(/\s+/u))]
  const unknown = names.find((name) => !paths.has(name))
  if (unknown !== undefined) return { unknown }
  const amendments = names.map((name): Amendment => ({ kind: 'leave', path: paths.get(name) ?? '', later: true }))
  return { amendments, left: paths.size - names.length }
}
