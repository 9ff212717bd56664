import type { Settings } from '../../../shared/api/setting-fields.ts'
import { type Press, keysOf } from '../../ui/marks/key-labels.ts'
import type { Keys } from './key-combinations.ts'

export interface Binding {
  /** The name in the settings file. For a command of the palette, this is its id. */
  readonly id: string
  readonly words: string
  /** The default key. Code identifies actions by their default key. Only code that reads or shows keys looks up the user's own key. */
  readonly keys: Keys
}

/** All keys that the user can change. */
export const BINDINGS: readonly Binding[] = [
  { id: 'need', words: 'Go to the next thing that needs me', keys: 'Mod+J' },
  { id: 'sign', words: 'Sign, in the tray', keys: 'Mod+Enter' },
  { id: 'refuse', words: 'Refuse, in the tray', keys: 'Mod+Del' },
  { id: 'palette', words: 'All commands', keys: 'Mod+K' },
  { id: 'keys', words: 'All keys', keys: 'F1' },
  { id: 'new', words: 'New session', keys: 'Mod+N' },
  { id: 'folder', words: 'Open a folder', keys: 'Mod+O' },
  { id: 'rename', words: 'Rename this session', keys: 'F2' },
  { id: 'previous-session', words: 'Previously shown session', keys: 'Mod+Tab' },
  { id: 'pair', words: 'Two sessions side by side', keys: 'Mod+Shift+B' },
  { id: 'stop-all', words: 'Stop all turns', keys: 'Mod+.' },
  { id: 'changes', words: 'Changes', keys: 'Mod+1' },
  { id: 'terminal', words: 'Terminal', keys: 'Mod+2' },
  { id: 'agents', words: 'Agents', keys: 'Mod+3' },
  { id: 'plan', words: 'Plan', keys: 'Mod+4' },
  { id: 'context', words: 'Context', keys: 'Mod+5' },
  { id: 'caret', words: 'Type into the terminal, and back', keys: 'Mod+Backquote' },
  { id: 'new-terminal', words: 'New terminal', keys: 'Mod+Shift+Backquote' },
  { id: 'files', words: 'Find a file', keys: 'Mod+P' },
  { id: 'review', words: 'Changes as a full review', keys: 'Mod+Shift+D' },
  { id: 'replay', words: 'Replay this session', keys: 'Mod+Shift+Y' },
  { id: 'open-file', words: 'Open the newest changed file in the editor', keys: 'Mod+Shift+E' },
  { id: 'history', words: 'Search all sessions', keys: 'Mod+Shift+F' },
  { id: 'sessions', words: 'Show or fold sessions', keys: 'Mod+B' },
  { id: 'inspector', words: 'Show or fold the inspector', keys: 'Mod+Alt+B' },
  { id: 'next-pane', words: 'Next pane', keys: 'F6' },
  { id: 'previous-pane', words: 'Previous pane', keys: 'Shift+F6' },
  { id: 'settings', words: 'Settings', keys: 'Mod+,' },
]

const DEFAULT_KEYS: ReadonlyMap<string, Keys> = new Map(BINDINGS.map(({ id, keys }) => [id, keys]))
const IDS: ReadonlyMap<Keys, string> = new Map(BINDINGS.map(({ id, keys }) => [keys, id]))

/** The default key of an action. */
export const defaultKeys = (id: string): Keys | undefined => DEFAULT_KEYS.get(id)

/**
 * Returns the user's key for the action with this default key. Empty if the user removed the key. A key that cannot be changed is
 * returned unchanged.
 */
export function personKeys(chosen: Settings['keys'], defaultKey: Keys): Keys {
  const id = IDS.get(defaultKey)
  return id === undefined ? defaultKey : (chosen[id] ?? defaultKey)
}

/** The other actions that have the same key. */
export function conflictsOf({ id, keys }: Binding, chosen: Settings['keys']): readonly Binding[] {
  const own = personKeys(chosen, keys)
  return own === '' ? [] : BINDINGS.filter((other) => other.id !== id && personKeys(chosen, other.keys) === own)
}

export type Captured =
  | { readonly kind: 'more' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unusable'; readonly keys: Keys }
  | { readonly kind: 'keys'; readonly keys: Keys }

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Meta', 'Alt', 'AltGraph', 'Shift', 'CapsLock', 'Dead'])
/** Keys that text fields need themselves. */
const EDITING: ReadonlySet<Keys> = new Set(['C', 'V', 'X', 'A', 'Z', 'Shift+Z', 'Y', 'ArrowLeft', 'ArrowRight'].map((key) => `Mod+${key}`))

/**
 * The meaning of a key press while the user is choosing a key. A key without Ctrl would type text, so only function keys are accepted
 * without Ctrl.
 */
export function captured(press: Press, mac: boolean): Captured {
  if (MODIFIERS.has(press.key)) return { kind: 'more' }
  const keys = keysOf(press, mac)
  if (keys === 'Escape') return { kind: 'cancelled' }
  const works = (/^(?:Mod\+).+/u.test(keys) && !EDITING.has(keys)) || /^(?:Alt\+|Shift\+)*F\d+$/u.test(keys)
  return works ? { kind: 'keys', keys } : { kind: 'unusable', keys }
}

/** Returns the settings with this key for an action. If `keys` is null, the action gets its default key. */
export function withKeys(chosen: Settings['keys'], { id, keys: defaultKey }: Binding, keys: Keys | null): Settings['keys'] {
  const { [id]: _, ...others } = chosen
  return keys === null || keys === defaultKey ? others : { ...others, [id]: keys }
}
