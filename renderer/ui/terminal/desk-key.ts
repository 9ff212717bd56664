/** Keys that keep their meaning on the desk while a command has the keyboard: the way out (F6), to what needs you, to the terminal and back. */
export function isDeskKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): boolean {
  if (event.key === 'F6' && !event.ctrlKey && !event.altKey && !event.metaKey) return true
  const mod = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  return mod && (event.key === 'j' || event.key === '`')
}
