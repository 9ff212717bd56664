import { act, type ReactNode, useState } from 'react'
import { expect, test } from 'vitest'
import { type ModelDraft, useModelDraft } from '../../../../renderer/features/changes/publish/use-model-draft.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { openPage } from '../../support/open-page.tsx'

/** A field with a text, and a model that answers when the test says so. */
async function openField() {
  const { show } = openPage()
  const answer = Promise.withResolvers<{ readonly ok: true; readonly text: string }>()
  const client = { publish: { draft: () => answer.promise } }
  let field: { readonly text: string | null; readonly type: (text: string) => void; readonly model: ModelDraft } | undefined
  function Field(): ReactNode {
    const [text, setText] = useState<string | null>('mine')
    field = { text, type: setText, model: useModelDraft(SESSION, 'commit', text, setText) }
    return null
  }
  await show(
    <DeskContext value={{ connection: { firstClient: async () => client } } as unknown as Desk}>
      <Field />
    </DeskContext>,
  )
  return {
    draft: () => act(async () => void field?.model.draft()),
    type: (text: string) => act(async () => field?.type(text)),
    answer: () => act(async () => answer.resolve({ ok: true, text: 'The model’s' })),
    shown: () => [field?.text, field?.model.trouble?.code ?? null, field?.model.isDrafting],
  }
}

test('a drafted text replaces the text that was there when it was requested', async () => {
  const field = await openField()
  await field.draft()
  expect(field.shown()).toEqual(['mine', null, true])
  await field.answer()
  expect(field.shown()).toEqual(['The model’s', null, false])
})

test('a drafted text never replaces what was typed in the meantime, and an error says so', async () => {
  const field = await openField()
  await field.draft()
  await field.type('mine, and more')
  await field.answer()
  expect(field.shown()).toEqual(['mine, and more', 'typed_meanwhile', false])
})
