import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { paletteCommands } from '../../../../renderer/state/commands/palette-commands.ts'
import { Desk } from '../../../../renderer/state/desk.ts'
import { isTyping, runKey } from '../../../../renderer/state/commands/key-combinations.ts'
import { keysOf, type Press } from '../../../../renderer/ui/marks/key-labels.ts'
import { deskKeys } from '../../../../renderer/state/hooks/use-desk-keys.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { press } from '../../support/press.ts'

/** The members of an element that the key handling reads. */
class Element {
  readonly isContentEditable: boolean
  readonly #isField: boolean

  constructor(isField: boolean, isContentEditable = false) {
    this.#isField = isField
    this.isContentEditable = isContentEditable
  }

  matches(): boolean {
    return this.#isField
  }
}

beforeEach(() => vi.stubGlobal('HTMLElement', Element))
afterEach(() => vi.unstubAllGlobals())

interface Given extends Partial<Press> {
  readonly target?: Element
  readonly defaultPrevented?: boolean
  readonly isComposing?: boolean
}

function pressed(key: string, keys: string, given: Given = {}, run: () => boolean | void = () => {}) {
  let ran = 0
  let prevented = false
  const event = {
    ...press(key, given),
    target: given.target ?? new Element(false),
    defaultPrevented: given.defaultPrevented ?? false,
    isComposing: given.isComposing ?? false,
    preventDefault: () => {
      prevented = true
    },
  } as unknown as KeyboardEvent
  runKey(
    event,
    [
      {
        keys,
        run: () => {
          ran++
          return run()
        },
      },
    ],
    false,
  )
  return { ran, prevented }
}

const FIELD = new Element(true)
const DID = { ran: 1, prevented: true }
const DID_NOT = { ran: 0, prevented: false }

describe('the name of a key press', () => {
  test.each([
    ['Ctrl J', press('j', { ctrlKey: true }), false, 'Mod+J'],
    ['Cmd J on a Mac', press('j', { metaKey: true }), true, 'Mod+J'],
    ['Ctrl J on a Mac is not Cmd J', press('j', { ctrlKey: true }), true, 'J'],
    ['Shift is named with letters', press('D', { ctrlKey: true, shiftKey: true }), false, 'Mod+Shift+D'],
    ['and with other alphabets', press('Д', { shiftKey: true }), false, 'Shift+Д'],
    ['no Shift if it produces the character', press('?', { shiftKey: true }), false, '?'],
    ['Option B on a Mac types another character', press('∫', { metaKey: true, altKey: true, code: 'KeyB' }), true, 'Mod+Alt+B'],
    ['the back quote is a dead key on some keyboards', press('Dead', { ctrlKey: true, code: 'Backquote' }), false, 'Mod+Backquote'],
    ['Backspace counts as Delete', press('Backspace', { ctrlKey: true }), false, 'Mod+Del'],
    ['function keys with Shift', press('F6', { shiftKey: true }), false, 'Shift+F6'],
  ])('%s', (_, given, mac, name) => {
    expect(keysOf(given, mac)).toBe(name)
  })
})

describe('a key', () => {
  test('runs its action and is not passed on', () => {
    expect(pressed('j', 'Mod+J', { ctrlKey: true })).toEqual(DID)
    expect(pressed('k', 'Mod+J', { ctrlKey: true })).toEqual(DID_NOT)
  })

  test('is ignored if it was already handled or is part of an IME composition', () => {
    expect(pressed('j', 'Mod+J', { ctrlKey: true, defaultPrevented: true })).toEqual(DID_NOT)
    expect(pressed('j', 'Mod+J', { ctrlKey: true, isComposing: true })).toEqual(DID_NOT)
  })

  test('does nothing in a text field, unless it has a modifier or is F6', () => {
    expect(isTyping(FIELD as unknown as EventTarget)).toBe(true)
    expect(isTyping(new Element(false, true) as unknown as EventTarget)).toBe(true)
    expect(isTyping(null)).toBe(false)
    expect(pressed('?', '?', { target: FIELD })).toEqual(DID_NOT)
    expect(pressed('r', 'R', { target: FIELD })).toEqual(DID_NOT)
    expect(pressed('j', 'Mod+J', { ctrlKey: true, target: FIELD })).toEqual(DID)
    expect(pressed('F6', 'F6', { target: FIELD })).toEqual(DID)
  })

  test('is passed on if the action declines it', () => {
    expect(pressed('j', 'Mod+J', { ctrlKey: true }, () => false)).toEqual({ ran: 1, prevented: false })
  })
})

describe('the keys of the app', () => {
  const desk = new Desk(() => new Promise(() => {}), { own: null, shared: null })
  desk.view.setState({ sessionId: SESSION })

  test('are unambiguous, and none of them signs or refuses a request', () => {
    const keys = deskKeys(desk).map((action) => action.keys)
    expect(keys.length).toBe(new Set(keys).size)
    expect(keys.filter((one) => /Enter|Del|Space/.test(one))).toEqual([])
    expect(keys).toEqual(
      expect.arrayContaining(['Mod+J', 'Mod+K', 'Mod+N', 'Mod+O', 'Mod+B', 'Mod+Alt+B', 'Mod+1', 'Mod+2', 'Mod+.', 'F6', 'F1', '?']),
    )
  })

  test('run palette commands, whose ids and names are all different', () => {
    const commands = paletteCommands(desk)
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
    expect(new Set(commands.map(({ words }) => words)).size).toBe(commands.length)
    desk.connection.dispose()
  })
})
