import { ttyReading } from './tty-readers.ts'

/**
 * Time between checks, in ms. A command is marked as waiting only if two checks in a row agree, so a program that reads and continues is
 * never marked. The mark appears within 3 s after the question.
 */
const CHECK_MS = 600
/** Control sequences, which do not affect whether a line is finished. */
const SEQUENCE = /\x1b(?:\[[\d;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78])/g
/** Matches the end of a question. Used if the system does not say what the program waits for. */
const QUESTION = /(?:[?:>›»$#\]]|password|passphrase|\(y\/n\)|\[y\/n\])[ \t]*$/i

/** Detects whether a command in a terminal waits for input. */
export interface InputWatch {
  /** Call this with the command's output. */
  printed(text: string): void
  stop(): void
}

/**
 * Watches the command whose processes are `leader` and its descendants. Calls `tell` each time the command begins or stops waiting. Linux
 * shows which process reads the terminal. A program with an event loop counts as waiting if the last line is unfinished, like a prompt. On
 * other systems, a program counts as waiting if its last line is unfinished and looks like a question.
 */
export function watchInput(leader: number, tell: (waits: boolean) => void): InputWatch {
  let lastLine = ''
  let hasPrinted = false
  let agreeing = 0
  let waits = false
  const asks = (): boolean => {
    const line = lastLine.replace(SEQUENCE, '')
    const reading = process.platform === 'linux' ? ttyReading(leader) : 'hidden'
    if (reading === 'hidden') return QUESTION.test(line)
    return reading === 'loop' ? line.trim() !== '' : reading !== null
  }
  const check = (): void => {
    const isBusy = hasPrinted && !waits
    hasPrinted = false
    agreeing = !isBusy && asks() ? agreeing + 1 : 0
    const now = agreeing >= 2
    if (now === waits) return
    waits = now
    tell(now)
  }
  const timer = setInterval(check, CHECK_MS).unref()
  return {
    printed(text) {
      hasPrinted = true
      lastLine = unfinished(lastLine, text)
    },
    stop: () => clearInterval(timer),
  }
}

/** Maximum number of characters of an unfinished line that are kept. */
const MAX_LINE = 1000

function unfinished(line: string, text: string): string {
  const start = text.lastIndexOf('\n') + 1
  return (start > 0 ? text.slice(start) : line + text).slice(-MAX_LINE)
}
