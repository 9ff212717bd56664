import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

type Rgb = readonly [number, number, number]
type Theme = ReadonlyMap<string, string>

const css = await readFile(new URL('../../../renderer/styles/themes.css', import.meta.url), 'utf8')

function themeOf(name: 'light' | 'dark'): Theme {
  const block = css.slice(css.indexOf(`[data-theme='${name}']`)).split('}')[0] ?? ''
  return new Map([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, token = '', value = '']) => [token, value] as const))
}

function rgb(theme: Theme, token: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/.exec(theme.get(token) ?? '')?.[1]
  if (hex === undefined) throw new Error(`--${token} is not a plain colour`)
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
}

/** Returns the color of a translucent layer, such as --selected, on a surface. */
function washed(theme: Theme, wash: string, surface: string): Rgb {
  const [r = 0, g = 0, b = 0, alpha = 0] = (theme.get(wash) ?? '').match(/[\d.]+/g)?.map(Number) ?? []
  const below = rgb(theme, surface)
  return [r, g, b].map((value, at) => value * alpha + (below[at] ?? 0) * (1 - alpha)) as unknown as Rgb
}

const channel = (value: number): number => (value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
const luminance = ([r, g, b]: Rgb): number => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
function ratio(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = ['chrome', 'paper', 'sheet', 'band', 'sunk'] as const

describe.each(['light', 'dark'] as const)('%s theme', (name) => {
  const theme = themeOf(name)
  const grounds = (extra: readonly string[] = []): readonly (readonly [string, Rgb])[] => [
    ...surfaces.map((surface) => [surface, rgb(theme, surface)] as const),
    ...(['chrome', 'paper', 'sheet'] as const).map((surface) => [`selected ${surface}`, washed(theme, 'selected', surface)] as const),
    ...extra.map((surface) => [surface, rgb(theme, surface)] as const),
  ]
  const worst = (token: string, on: readonly (readonly [string, Rgb])[]): number =>
    Math.min(...on.map(([, ground]) => ratio(rgb(theme, token), ground)))

  test.each(['text-1', 'text-2', 'text-3'])('--%s is readable on every surface, selected rows included', (token) => {
    expect(worst(token, grounds(['amber-soft', 'red-soft', 'paper-hover', 'paper-selected']))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['ink', 'red', 'green', 'amber'])('--%s is readable wherever it is a text color', (token) => {
    // Line counts are also shown in the head of a tray.
    expect(
      worst(token, grounds([`${token}-soft`, ...(token === 'red' || token === 'green' ? ['amber-soft'] : [])])),
    ).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['ink-fill', 'ink-fill-hover', 'ink-fill-active'])('the text on --%s is readable', (token) => {
    expect(ratio(rgb(theme, 'on-ink'), rgb(theme, token))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['edge', 'amber-fill', 'ink-fill'])('--%s has enough contrast with every surface on which it is used', (token) => {
    const on = token === 'amber-fill' ? [...surfaces, 'amber-soft'] : ['paper', 'sheet']
    expect(
      worst(
        token,
        on.map((surface) => [surface, rgb(theme, surface)] as const),
      ),
    ).toBeGreaterThanOrEqual(3)
  })

  test('opaque hover and selection colors match the translucent ones over `paper`', () => {
    const drift = (['hover', 'selected'] as const).flatMap((wash) => {
      const mixed = washed(theme, wash, 'paper')
      return rgb(theme, `paper-${wash}`).map((value, at) => Math.abs(value - (mixed[at] ?? 0)))
    })
    expect(Math.max(...drift)).toBeLessThanOrEqual(1)
  })
})

test('both themes define the same tokens', () => {
  expect([...themeOf('dark').keys()].toSorted()).toEqual([...themeOf('light').keys()].toSorted())
})
