import { expect, test } from 'vitest'
import { Acknowledgements } from '../../../../renderer/ui/terminal/acknowledgements.ts'

function recorded() {
  const sent: (readonly [string, number])[] = []
  return { sent, acknowledgements: new Acknowledgements((watcher, chars) => sent.push([watcher, chars])) }
}

test('drawn output is acknowledged in one message once no more output is pending', () => {
  const { sent, acknowledgements } = recorded()
  acknowledgements.begin('one')
  const first = acknowledgements.take(100)
  const second = acknowledgements.take(50)
  expect(sent).toEqual([])
  first()
  expect(sent).toEqual([])
  second()
  expect(sent).toEqual([['one', 150]])
})

test('a flood of output needs only a few acknowledgements, and each is sent long before the command would be paused', () => {
  const { sent, acknowledgements } = recorded()
  acknowledgements.begin('one')
  const drawn = Array.from({ length: 100 }, () => acknowledgements.take(1_000))
  for (const done of drawn) done()
  expect(sent.reduce((sum, [, chars]) => sum + chars, 0)).toBe(100_000)
  expect(sent.length).toBeLessThan(10)
  expect(Math.max(...sent.map(([, chars]) => chars))).toBeLessThan(95_000)
})

test('output drawn for an earlier viewer is not acknowledged for a later viewer', () => {
  const { sent, acknowledgements } = recorded()
  acknowledgements.begin('one')
  const old = acknowledgements.take(100)
  acknowledgements.begin('two')
  old()
  acknowledgements.take(7)()
  expect(sent).toEqual([['two', 7]])
})
