/** The code of a key press that an input method has handled. */
const HANDLED_BY_INPUT_METHOD = 229

/**
 * Whether the key belongs to an input method, such as the Enter that chooses a Japanese word. Safari ends the composition before it reports
 * that key, so only the key's code tells.
 */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else tells these keys apart in Safari
  return event.isComposing || event.keyCode === HANDLED_BY_INPUT_METHOD
}
