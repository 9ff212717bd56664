import { capital } from '../../../ui/format.ts'

/** A subject line longer than this is cut by most tools that show it. */
const MAX_SUBJECT = 72
const MAX_FILES = 20
/** A request with fewer words ("go on") does not describe a change. */
const MIN_WORDS = 3

export interface Proposal {
  /** The session's title. Empty if it has none yet. */
  readonly title: string
  /** The user's newest request. Null if there is none. */
  readonly request: string | null
  readonly files: readonly string[]
}

/** Returns a commit message built from the request and the staged files. It needs no model and no network. */
export function proposedCommitMessage({ title, request, files }: Proposal): string {
  // Only the first line is used, because the other lines may be quotes from the review.
  const newest = request?.trim().split('\n', 1)[0] ?? ''
  const asked = firstSentence(newest.split(/\s+/u).length < MIN_WORDS && title !== '' ? title : newest)
  const subject = asked === '' ? `Change ${named(files)}` : asked
  const listed = files.slice(0, MAX_FILES).map((file) => `- ${file}`)
  const rest = files.length > MAX_FILES ? [`- and ${files.length - MAX_FILES} more`] : []
  return files.length < 2 ? subject : [subject, '', ...listed, ...rest].join('\n')
}

function named(files: readonly string[]): string {
  const [first, ...more] = files
  if (first === undefined) return 'nothing'
  const name = first.slice(first.lastIndexOf('/') + 1)
  return more.length === 0 ? name : `${name} and ${more.length} more`
}

/**
 * Returns the first sentence of the first line. The sentence begins with a capital letter and ends without a period; if it is too long, it
 * is cut between words.
 */
function firstSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  const sentence = (/^.*?[.!?](?=\s)/u.exec(line)?.[0] ?? line).replace(/[.!]+$/u, '')
  const whole = capital(sentence)
  if (whole.length <= MAX_SUBJECT) return whole
  const cut = whole.slice(0, MAX_SUBJECT - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_SUBJECT / 2)).trimEnd()}…`
}
