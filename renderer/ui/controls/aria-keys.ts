/** A chord as `aria-keyshortcuts` wants it: `Mod+Del` → `Control+Delete Meta+Delete`. */
export function ariaKeys(chord: string): string {
  const keys = chord.split('+').map((key) => (key === 'Del' ? 'Delete' : key === 'Esc' ? 'Escape' : key))
  if (!keys.includes('Mod')) return keys.join('+')
  const chordWith = (modifier: string): string => keys.map((key) => (key === 'Mod' ? modifier : key)).join('+')
  return `${chordWith('Control')} ${chordWith('Meta')}`
}
