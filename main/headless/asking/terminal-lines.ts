import { createInterface } from 'node:readline/promises'
import { complain } from '../report/standard-output.ts'

/** The terminal of the user who started Countersign. */
export interface PersonTerminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Returns the number of cells in a row. Null if unknown. */
  width(): number | null
}

/** If JSON lines go to standard output, questions go to standard error. Null if nobody can be asked. */
export function terminalFor(asJson: boolean): PersonTerminal | null {
  const { stdin, stdout, stderr } = process
  if (!stdin.isTTY || !stdout.isTTY) return null
  const output = asJson ? stderr : stdout
  return output.isTTY ? { input: stdin, output, width: () => output.columns || null } : null
}

/** `closed`: the user pressed Ctrl+D, now or earlier. `void`: the question's signal was aborted. */
type Typed = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'closed' } | { readonly kind: 'void' }

export interface TerminalLines {
  write(text: string): void
  /** Asks for one line. Text that was typed before the question appeared is dropped. */
  ask(words: string, signal: AbortSignal): Promise<Typed>
  close(): void
}

/** Reads a terminal line by line until `close`. Ctrl+C acts like any SIGINT. Ctrl+D closes it. */
export function readTerminal({ input, output }: PersonTerminal): TerminalLines {
  const lines = createInterface({ input, output, historySize: 0, prompt: '' })
  const closed = new AbortController()
  lines.once('close', () => closed.abort())
  // While readline reads, the terminal is in raw mode and Ctrl+C sends no signal.
  lines.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'))
  return {
    write: (text) => void output.write(text),
    async ask(words, signal) {
      if (signal.aborted) return { kind: 'void' }
      if (closed.signal.aborted) return { kind: 'closed' }
      lines.write(null, { ctrl: true, name: 'e' })
      lines.write(null, { ctrl: true, name: 'u' })
      try {
        return { kind: 'line', text: await lines.question(words, { signal: AbortSignal.any([signal, closed.signal]) }) }
      } catch (error) {
        if (signal.aborted) return { kind: 'void' }
        if (closed.signal.aborted) return { kind: 'closed' }
        throw error
      }
    },
    close: () => lines.close(),
  }
}

/** Asks a question that ends with `y or n: `. Only y or yes is a yes. */
export async function saidYes(terminal: PersonTerminal, question: string): Promise<boolean> {
  const lines = readTerminal(terminal)
  try {
    const typed = await lines.ask(question, new AbortController().signal)
    return typed.kind === 'line' && /^y(?:es)?$/iu.test(typed.text.trim())
  } finally {
    lines.close()
  }
}

/** Like `saidYes`, on the terminal of the user. If nobody can be asked, says so on standard error and returns false. */
export function confirmed(question: string): Promise<boolean> {
  const terminal = terminalFor(false)
  if (terminal) return saidYes(terminal, question)
  complain('Nobody can be asked here. Add --yes to agree.\n')
  return Promise.resolve(false)
}
