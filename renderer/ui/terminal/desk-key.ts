import { keyboardPlatform, type Platform } from '../marks/platform.ts'

/** Keys that keep their meaning on the desk while a command has the keyboard: the way out (F6), to what needs you, to the terminal and back. */
export function isDeskKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  platform: Platform = keyboardPlatform(),
): boolean {
  if (event.key === 'F6' && !event.ctrlKey && !event.altKey && !event.metaKey) return true
  const mod = (platform === 'mac' ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey
  return mod && (event.key === 'j' || event.key === '`')
}
