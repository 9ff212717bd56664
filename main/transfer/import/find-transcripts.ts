import { join } from 'node:path'
import type { FoundTranscript } from '../../../shared/api/transfer.ts'
import { isObject } from '../../../shared/lib/json.ts'
import { beginningOf, changedAt, filesBelow } from '../../environment/files/files-below.ts'

/** Maximum number of transcripts that are listed. */
const MOST = 40
/** Number of bytes at the start of a transcript in which its first message is sought. */
const LOOKED_AT = 256 * 1024
/** Maximum number of characters of a title. */
const MAX_TITLE = 120

/**
 * The newest transcripts of Claude Code and Codex in this home folder, newest first. Folders and files that cannot be read are left out.
 */
export async function findTranscripts(home: string): Promise<readonly FoundTranscript[]> {
  const claude = await filesBelow(join(home, '.claude', 'projects'), 1, /\.jsonl$/u)
  const codex = await filesBelow(join(home, '.codex', 'sessions'), 3, /^rollout-.*\.jsonl$/u)
  const found = await Promise.all([
    ...claude.map(async (path) => ({ path, source: 'claude' as const, at: await changedAt(path) })),
    ...codex.map(async (path) => ({ path, source: 'codex' as const, at: await changedAt(path) })),
  ])
  const newest = found.toSorted((a, b) => b.at - a.at).slice(0, MOST)
  return Promise.all(newest.map(async (one) => ({ ...one, ...(await factsOf(one.path)) })))
}

/** The project folder of a transcript, and the first words of the user. Empty if they are not near its start. */
async function factsOf(path: string): Promise<Pick<FoundTranscript, 'folder' | 'title'>> {
  let folder = ''
  for (const line of (await beginningOf(path, LOOKED_AT)).split('\n').flatMap(parsed)) {
    const payload = isObject(line['payload']) ? line['payload'] : line
    if (folder === '' && typeof payload['cwd'] === 'string') folder = payload['cwd']
    const message = isObject(payload['message']) ? payload['message'] : payload
    const title = message['role'] === 'user' ? wordsOf(message['content']) : ''
    if (title !== '') return { folder, title }
  }
  return { folder, title: '' }
}

/** What the user typed, as one line. Empty for text that the program added, which begins with a tag. */
function wordsOf(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  const texts = parts.map((part) => (isObject(part) ? part['text'] : part)).filter((text) => typeof text === 'string')
  const words = texts.find((text) => text.trim() !== '' && !text.trimStart().startsWith('<')) ?? ''
  return words.trim().replaceAll(/\s+/gu, ' ').slice(0, MAX_TITLE)
}

/** The object in a line. Empty for other lines, such as the last one, which may be cut off. */
function parsed(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? [value] : []
  } catch {
    return []
  }
}
