import type { Platform } from './platform.ts'

const drawn: Readonly<Record<string, string>> = { Plus: '+', Backquote: '`' }
const mac: Readonly<Record<string, string>> = { Mod: 'Cmd', Alt: 'Option', Del: 'Delete' }
const other: Readonly<Record<string, string>> = { Mod: 'Ctrl' }

/** Names of the keys of a chord as its platform calls them: `Mod+Shift+F` → `['Ctrl', 'Shift', 'F']`. A plus sign is written `Plus`. */
export function keyWords(chord: string, platform: Platform): readonly string[] {
  const names = platform === 'mac' ? mac : other
  return chord.split('+').map((key) => names[key] ?? drawn[key] ?? key)
}
