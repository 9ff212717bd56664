import { expect, test } from 'vitest'
import { deskSize, inspectorLimits, sessionsLimits } from '../../../../renderer/ui/frame/desk-widths.ts'

test('the layout is narrow below 1080 px and wide from 1680 px', () => {
  expect([900, 1079, 1080, 1679, 1680, 2560].map(deskSize)).toEqual(['narrow', 'narrow', 'normal', 'normal', 'wide', 'wide'])
})

test('an inspector starts at 432 px, or at 640 px in a wide layout, but never takes more than half the window', () => {
  expect(inspectorLimits('normal', 1440)).toEqual({ min: 360, max: 720, initial: 432 })
  expect(inspectorLimits('normal', 1080)).toEqual({ min: 360, max: 540, initial: 432 })
  expect(inspectorLimits('wide', 1920)).toEqual({ min: 360, max: 960, initial: 640 })
})

test('an inspector never gets less than its minimum width', () => {
  expect(inspectorLimits('narrow', 600)).toEqual({ min: 360, max: 360, initial: 360 })
})

test('sessions get more space in a wide layout', () => {
  expect([sessionsLimits('normal'), sessionsLimits('wide')]).toEqual([
    { min: 220, max: 400, initial: 264 },
    { min: 220, max: 400, initial: 280 },
  ])
})
