import { describe, expect, test } from 'vitest'
import { BINDINGS, captured, conflictsOf, personKeys, withKeys } from '../../../../renderer/state/commands/key-bindings.ts'
import { Desk } from '../../../../renderer/state/desk.ts'
import { deskKeys } from '../../../../renderer/state/hooks/use-desk-keys.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { press } from '../../support/press.ts'

const named = (id: string) => BINDINGS.find((binding) => binding.id === id) ?? { id, words: '', keys: '' }

describe('the keys that can be changed', () => {
  test('are all keys of the app and the tray, except the question mark', () => {
    const desk = new Desk(() => new Promise(() => {}), { own: null, shared: null })
    desk.view.setState({ sessionId: SESSION })
    const bindable = new Set(BINDINGS.map(({ keys }) => keys))
    expect(deskKeys(desk).flatMap(({ keys }) => (bindable.has(keys) ? [] : [keys]))).toEqual(['?'])
    desk.connection.dispose()
  })

  test('have no conflicts by default', () => {
    expect(BINDINGS.flatMap((binding) => conflictsOf(binding, {}))).toEqual([])
  })
})

test('a changed key replaces the default, "none" removes it, and defaults are not saved in the file', () => {
  const need = named('need')
  const changed = withKeys({ palette: 'F8' }, need, 'Mod+U')
  expect(changed).toEqual({ palette: 'F8', need: 'Mod+U' })
  expect(personKeys(changed, 'Mod+J')).toBe('Mod+U')
  expect(personKeys(withKeys(changed, need, ''), 'Mod+J')).toBe('')
  expect(withKeys(changed, need, null)).toEqual({ palette: 'F8' })
  expect(withKeys(changed, need, 'Mod+J')).toEqual({ palette: 'F8' })
  expect(personKeys(changed, 'Esc')).toBe('Esc')
})

test('two actions with the same key are reported as a conflict, but actions without a key are not', () => {
  const chosen = { need: 'Mod+K' }
  expect(conflictsOf(named('need'), chosen).map(({ id }) => id)).toEqual(['palette'])
  expect(conflictsOf(named('palette'), chosen).map(({ id }) => id)).toEqual(['need'])
  expect(conflictsOf(named('need'), { need: '', palette: '' })).toEqual([])
})

test.each([
  ['Ctrl with a letter', press('u', { ctrlKey: true }), { kind: 'keys', keys: 'Mod+U' }],
  ['a function key', press('F9', { shiftKey: true }), { kind: 'keys', keys: 'Shift+F9' }],
  ['only Ctrl', press('Control', { ctrlKey: true }), { kind: 'more' }],
  ['Escape', press('Escape'), { kind: 'cancelled' }],
  ['a letter', press('u'), { kind: 'unusable', keys: 'U' }],
  ['Alt with a letter', press('u', { altKey: true, code: 'KeyU' }), { kind: 'unusable', keys: 'Alt+U' }],
  ['copying', press('c', { ctrlKey: true }), { kind: 'unusable', keys: 'Mod+C' }],
])('choosing a new key by pressing %s', (_, given, meant) => {
  expect(captured(given, false)).toEqual(meant)
})
