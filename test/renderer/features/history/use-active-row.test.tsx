import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { type ActiveRow, useActiveRow } from '../../../../renderer/features/history/use-active-row.ts'
import { openPage } from '../../support/open-page.tsx'

/** A list whose rows change while it is shown. */
function openList() {
  const { show } = openPage()
  let row: ActiveRow | undefined
  function Reader({ keys }: { readonly keys: readonly string[] }): ReactNode {
    row = useActiveRow(keys)
    return null
  }
  return {
    list: (...keys: readonly string[]) => show(<Reader keys={keys} />),
    move: (to: number) => act(async () => row?.move(to)),
    restart: () => act(async () => row?.restart()),
    active: () => row?.active,
  }
}

test('the row that the user chose stays active when newer rows are listed above it', async () => {
  const { list, move, active } = openList()
  await list('a', 'b')
  await move(1)
  await list('new', 'a', 'b')
  expect(active()).toBe(2)
})

test('the first row stays active until the user moves', async () => {
  const { list, move, restart, active } = openList()
  await list('a', 'b')
  await list('new', 'a', 'b')
  expect(active()).toBe(0)
  await move(2)
  await restart()
  expect(active()).toBe(0)
})

test('if the active row is no longer listed, the row at its position is active', async () => {
  const { list, move, active } = openList()
  await list('a', 'more', 'c')
  await move(1)
  await list('a', 'b', 'c')
  expect(active()).toBe(1)
  await move(2)
  await list('a')
  expect(active()).toBe(0)
})

test('the user can move through rows with equal keys', async () => {
  const { list, move, active } = openList()
  await list('a', 'a', 'a')
  await move(2)
  expect(active()).toBe(2)
})
