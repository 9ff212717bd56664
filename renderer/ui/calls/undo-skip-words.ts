import type { SkippedFile, SkipReason } from '../../../shared/session/rollback.ts'

const WORDS: Readonly<Record<SkipReason, string>> = {
  'changed-since': 'you changed it since',
  'changed-by-session': 'another session changed it since',
  'changed-between': 'you changed it between two of the steps',
  'in-background': 'it changed while a background command ran, and you may have changed it',
  'not-a-file': 'a folder or a link is there now',
  unreadable: 'it cannot be read',
  conflict: 'you chose to keep it unchanged',
  'not-written': 'it could not be changed',
}

/** Why an undo does not change a file, as the end of a sentence without its period. */
export const undoSkipWords = ({ why, detail }: Pick<SkippedFile, 'why' | 'detail'>): string =>
  detail === undefined ? WORDS[why] : `${WORDS[why]} (${detail.replace(/\.$/u, '')})`
