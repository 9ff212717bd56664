import type { Item } from '../../../shared/session/state.ts'

/** The person's own messages of a session, oldest first, none twice in a row. */
export function earlierMessages(items: readonly Item[]): readonly string[] {
  const texts = items.flatMap((item) => (item.kind === 'user' && item.text !== '' ? [item.text] : []))
  return texts.filter((text, index) => text !== texts[index - 1])
}
