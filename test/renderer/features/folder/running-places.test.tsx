import { act } from 'react'
import { expect, test } from 'vitest'
import { RunningPlaces } from '../../../../renderer/features/folder/running-places.tsx'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { RunningPlace } from '../../../../shared/places/running-place.ts'
import { openPage } from '../../support/open-page.tsx'

const POD: RunningPlace = {
  kind: 'made',
  place: 'k8s://kind/team/pod',
  from: 'k8s:///?image=a',
  folder: '/code',
  since: 0,
  title: null,
  why: 'The pod was evicted.',
}

async function openList(running: () => Promise<{ readonly places: readonly RunningPlace[] }>) {
  const { show, page, window } = openPage()
  const stops: object[] = []
  const stop = async (given: object) => {
    stops.push(given)
    return { ok: true, value: null }
  }
  const desk = { connection: { firstClient: async () => ({ places: { running, stop } }) } }
  await show(
    <DeskContext value={desk as unknown as Desk}>
      <RunningPlaces />
    </DeskContext>,
  )
  const press = (at: number) =>
    act(async () => void page.querySelectorAll('button')[at]?.dispatchEvent(new window.Event('click', { bubbles: true })))
  const buttons = () => [...page.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'))
  return { page, stops, press, buttons }
}

test('“Remove all” asks first, and a double click on it removes nothing', async () => {
  const { page, stops, press, buttons } = await openList(async () => ({ places: [POD] }))
  expect(page.textContent).toContain('k8s:///?image=a for /code. The pod was evicted.')
  await press(1)
  expect(page.textContent).toContain('Changes there that were not brought in are deleted too.')
  expect(buttons()).toEqual([`Remove all: ${POD.place}`, `Keep ${POD.place}`])
  await press(1)
  expect(stops).toEqual([])
  await press(1)
  await press(0)
  expect(stops).toEqual([{ place: POD.place, uninstalls: true }])
})

test('if the machines cannot be checked, the list says why', async () => {
  const { page } = await openList(() => Promise.reject(new Error('It was closed.')))
  expect(page.textContent).toContain('The other machines were not checked: It was closed.')
})
