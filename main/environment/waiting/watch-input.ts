import { ttyReading } from './tty-readers.ts'

/**
 * Between two looks, ms. Two in a row must agree, so that a program that reads and goes on is never marked, and the mark stands within
 * 3 s of the question (issue 3).
 */
const LOOK_MS = 600
/** Sequences that move or colour say nothing about whether a line is finished. */
const SEQUENCE = /\x1b(?:\[[\d;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78])/g
/** What questions end with, where nothing better can be known. */
const QUESTION = /(?:[?:>›»$#\]]|password|passphrase|\(y\/n\)|\[y\/n\])[ \t]*$/i

/** Tells whether a command in a terminal waits for somebody to type. */
export interface InputWatch {
  /** Call with what it prints. */
  printed(text: string): void
  stop(): void
}

/**
 * Looks at the command whose processes are `leader` and those below it; `tell` hears each change. Linux knows who waits in a read of the
 * terminal; a program that waits for many things at once counts when an unfinished line stands there, as a prompt does. Elsewhere
 * a question that stands unfinished counts.
 */
export function watchInput(leader: number, tell: (waits: boolean) => void): InputWatch {
  let lastLine = ''
  let hasPrinted = false
  let looks = 0
  let waits = false
  const asks = (): boolean => {
    const line = lastLine.replace(SEQUENCE, '')
    const reading = process.platform === 'linux' ? ttyReading(leader) : 'hidden'
    if (reading === 'hidden') return QUESTION.test(line)
    return reading === 'loop' ? line.trim() !== '' : reading !== null
  }
  const look = (): void => {
    const isBusy = hasPrinted && !waits
    hasPrinted = false
    looks = !isBusy && asks() ? looks + 1 : 0
    const now = looks >= 2
    if (now === waits) return
    waits = now
    tell(now)
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return {
    printed(text) {
      hasPrinted = true
      lastLine = unfinished(lastLine, text)
    },
    stop: () => clearInterval(timer),
  }
}

/** Characters of an unfinished line that are kept. */
const MOST_LINE = 1000

function unfinished(line: string, text: string): string {
  const start = text.lastIndexOf('\n') + 1
  return (start > 0 ? text.slice(start) : line + text).slice(-MOST_LINE)
}
