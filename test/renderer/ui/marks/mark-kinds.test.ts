import { expect, test } from 'vitest'
import { markShapes } from '../../../../renderer/ui/marks/mark.tsx'

const shapes = Object.values(markShapes)

test('every kind of mark has its own label', () => {
  expect(new Set(shapes.map((shape) => shape.word)).size).toBe(shapes.length)
})

test('all marks differ in shape, except two pairs that differ only in stroke: pending and signed, refused and blocked', () => {
  const drawn = Object.entries(markShapes).map(([kind, { strokes }]) => [kind, strokes.map(({ d }) => d).join(' ')] as const)
  const same = drawn.flatMap(([kind, path], at) =>
    drawn.slice(at + 1).flatMap(([other, twin]) => (twin === path ? [`${kind} ${other}`] : [])),
  )
  // The two marks of each pair have the same shape and differ only in the kind of stroke. For example, the stroke is dotted for a waiting
  // request and solid for a signed one.
  expect(same.toSorted()).toEqual(['pending signed', 'refused blocked'])
  expect([markShapes.pending.strokes.at(-1)?.by, markShapes.signed.strokes.at(-1)?.by]).toEqual(['waiting', 'yours'])
  expect([markShapes.refused.strokes.at(-1)?.by, markShapes.blocked.strokes.at(-1)?.by]).toEqual(['yours', 'agent'])
})

test('the ink color is used for what the user did, and for nothing else', () => {
  const inked = Object.entries(markShapes).flatMap(([kind, { strokes }]) => (strokes.some(({ by }) => by === 'yours') ? [kind] : []))
  expect(inked.toSorted()).toEqual(['refused', 'rule', 'signed', 'undone', 'you'])
})

test('a user’s stroke is drawn from bottom to top', () => {
  const upright = [markShapes.signed, markShapes.rule, markShapes.you].map((shape) => shape.strokes.at(-1)?.d ?? '')
  const rises = upright.map((d) => {
    const [, fromY = 0, , toY = 0] = d.slice(1).split(' ').map(Number)
    return fromY > toY
  })
  expect(rises).toEqual([true, true, true])
})
