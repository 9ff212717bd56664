import type { PersonMessage } from '../../shared/session/person-message.ts'
import type { ReviewComment } from '../../shared/api/review.ts'

/** A message with review comments below it: path and line numbers, the quoted lines, the person's words. */
export function withComments({ text, command, ...said }: PersonMessage, comments: readonly ReviewComment[]): PersonMessage {
  const below = (above: string): string => [above, ...comments.map(quoted)].filter((part) => part !== '').join('\n\n')
  return { ...said, text: below(text), ...(command !== undefined && { command: below(command) }) }
}

function quoted({ shown, side, from, to, quoted: lines, words }: ReviewComment): string {
  const where = from === to ? `line ${from}` : `lines ${from}–${to}`
  const head = `${shown}, ${where}${side === 'before' ? ' before the change' : ''}:`
  const quote = lines
    .replace(/\n$/u, '')
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
  return [head, ...quote, '', words].join('\n')
}
