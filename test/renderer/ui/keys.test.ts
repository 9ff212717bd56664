import { describe, expect, test } from 'vitest'
import { ariaKeys, keyboardPlatform, keyLabels } from '../../../renderer/ui/marks/key-labels.ts'
import { splitterKey } from '../../../renderer/ui/frame/panes/splitter.tsx'
import { horizontal, indexAfterKey, vertical } from '../../../renderer/ui/arrow-keys.ts'
import { typeAhead } from '../../../renderer/ui/hooks/use-type-ahead.ts'

describe('names of keys', () => {
  test('a shortcut has the name that its platform uses', () => {
    expect(keyLabels('Mod+Shift+F', 'other')).toEqual(['Ctrl', 'Shift', 'F'])
    expect(keyLabels('Mod+Shift+F', 'mac')).toEqual(['Cmd', 'Shift', 'F'])
    expect(keyLabels('Alt+Enter', 'mac')).toEqual(['Option', 'Enter'])
    expect(keyLabels('Mod+Plus', 'other')).toEqual(['Ctrl', '+'])
  })

  test.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'mac'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'other'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'other'],
  ])('the keyboard platform comes from the user agent: %s', (userAgent, platform) => {
    expect(keyboardPlatform({ userAgent })).toBe(platform)
  })

  test('screen readers get both possible modifiers and standard key names', () => {
    expect(ariaKeys('Mod+Del')).toBe('Control+Delete Meta+Delete')
    expect(ariaKeys('A')).toBe('A')
    expect(ariaKeys('Esc')).toBe('Escape')
  })
})

describe('arrows in a list', () => {
  test('wrap around at both ends', () => {
    expect([
      indexAfterKey('ArrowDown', vertical, 2, 3),
      indexAfterKey('ArrowUp', vertical, 0, 3),
      indexAfterKey('ArrowDown', vertical, 0, 3),
    ]).toEqual([0, 2, 1])
  })

  test('if nothing is selected, arrow down goes to the first item and arrow up to the last', () => {
    expect([indexAfterKey('ArrowDown', vertical, -1, 3), indexAfterKey('ArrowUp', vertical, -1, 3)]).toEqual([0, 2])
  })

  test('Home and End go to the ends; other keys, arrows of the other axis, and any key in an empty list do nothing', () => {
    expect([indexAfterKey('Home', horizontal, 2, 3), indexAfterKey('End', horizontal, 0, 3)]).toEqual([0, 2])
    expect([
      indexAfterKey('a', vertical, 0, 3),
      indexAfterKey('ArrowRight', vertical, 0, 3),
      indexAfterKey('ArrowDown', vertical, -1, 0),
    ]).toEqual([null, null, null])
  })
})

describe('typing in a list', () => {
  const labels = ['Undo this step', 'Show its diff', 'Fork from here', 'Show in editor', 'Über']

  test('a letter goes to the next label that begins with it, and wraps around', () => {
    expect([typeAhead(labels, 's', -1), typeAhead(labels, 's', 1), typeAhead(labels, 's', 3)]).toEqual([1, 3, 1])
  })

  test('repeating the same letter moves to the next match', () => {
    expect(typeAhead(labels, 'ss', 1)).toBe(3)
  })

  test('the current item is kept while it matches the typed word; otherwise, the next match is chosen', () => {
    expect([typeAhead(labels, 'sh', 1), typeAhead(labels, 'show in', 1)]).toEqual([1, 3])
  })

  test('non-ASCII letters work, case is ignored, and a letter without a match does nothing', () => {
    expect([typeAhead(labels, 'ü', 0), typeAhead(labels, 'x', 0), typeAhead([], 'a', -1), typeAhead(labels, '', 0)]).toEqual([
      4, -1, -1, -1,
    ])
  })
})

describe('keys of a divider', () => {
  const left = { pane: 'left', width: 264, min: 220, max: 400 } as const

  test('arrows move it in their direction, whether its pane is on the left or the right', () => {
    const right = { ...left, pane: 'right' } as const
    expect([
      splitterKey({ key: 'ArrowRight', shiftKey: false }, left),
      splitterKey({ key: 'ArrowRight', shiftKey: false }, right),
      splitterKey({ key: 'ArrowLeft', shiftKey: true }, left),
      splitterKey({ key: 'ArrowLeft', shiftKey: true }, right),
    ]).toEqual([272, 256, 232, 296])
  })

  test('Home and End move it to its limits, and other keys are ignored', () => {
    expect([
      splitterKey({ key: 'Home', shiftKey: false }, left),
      splitterKey({ key: 'End', shiftKey: false }, left),
      splitterKey({ key: 'ArrowUp', shiftKey: false }, left),
    ]).toEqual([220, 400, null])
  })
})
