import { setImmediate } from 'node:timers/promises'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { type Bytes, rowsOfEffects } from './effect-rows.ts'
import type { TerminalLines } from './terminal-lines.ts'

/** `closed`: no answer will come. `void`: the request was answered elsewhere or withdrawn. */
export type PersonReply =
  | { readonly kind: 'sign'; readonly reply?: SignatureReply }
  | { readonly kind: 'refuse'; readonly note: string | null }
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
 * with the text as a message.
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
    const typed = await lines.ask(`   Sign it? ${how}, n, ${more}or a message to the agent: `, signal)
    if (typed.kind !== 'line') return typed
    const said = typed.text.trim()
    // This pattern matches an answer such as "y, but keep the old name".
    const condition = /^y(?:es)?[,;]?\s+(?:but|if|provided|on condition that)\b[,:]?\s*(.+)$/iu.exec(said)?.[1] ?? null
    if (rest > 0 && /^m(ore)?$/i.test(said)) show()
    else if (/^yes$/i.test(said) || (/^y$/i.test(said) && !approval?.destructive)) return { kind: 'sign' }
    else if (plan && condition !== null) return { kind: 'sign', reply: { kind: 'plan', plan, condition, asksOutside: true } }
    else if (/^y$/i.test(said)) lines.write('   Type yes in full, or n.\n')
    else return { kind: 'refuse', note: /^(no?)?$/i.test(said) ? null : said }
  }
}
