import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import { useUndo } from '../../../../renderer/features/changes/undo/use-undo.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { openPage } from '../../support/open-page.tsx'

const PREVIEW = { plan: 'plan', files: [], folders: [], skipped: [], conflicts: [] }

test('the preview of an undo that was opened without a connection is made after the connection is restored, and only once', async () => {
  const { show, page } = openPage()
  const state = createStore<{ readonly kind: string }>(() => ({ kind: 'lost' }))
  let previews = 0
  const previewUndo = async () => ({ ok: true, preview: { ...PREVIEW, plan: `plan ${++previews}` } })
  const connection = { state, client: null as unknown }
  const desk = { connection, view: createStore(() => ({ undoPoint: null })) } as unknown as Desk
  function Reader(): ReactNode {
    const { preview, trouble } = useUndo(SESSION, { kind: 'step', step: 1 }, () => {})
    return trouble?.what ?? preview?.plan ?? 'computing'
  }
  await show(
    <DeskContext value={desk}>
      <Reader />
    </DeskContext>,
  )
  expect(page.textContent).toBe('computing')
  connection.client = { changes: { previewUndo } }
  for (const kind of ['open', 'lost', 'open']) await act(async () => state.setState({ kind }))
  expect([page.textContent, previews]).toEqual(['plan 1', 1])
})
