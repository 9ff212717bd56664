import { complain } from '../report/standard-output.ts'
import { readTerminal, terminalFor } from './terminal-lines.ts'

/** Asks a question that ends with `y or n: `. False if nobody can be asked. */
export async function saidYes(question: string): Promise<boolean> {
  const terminal = terminalFor(false)
  if (terminal === null) {
    complain('Nobody can be asked here. Add --yes to remove it.\n')
    return false
  }
  const lines = readTerminal(terminal)
  try {
    const typed = await lines.ask(question, new AbortController().signal)
    return typed.kind === 'line' && /^y(?:es)?$/iu.test(typed.text.trim())
  } finally {
    lines.close()
  }
}
