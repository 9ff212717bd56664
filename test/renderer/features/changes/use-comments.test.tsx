import { act, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { type Comments, useComments } from '../../../../renderer/features/changes/comments/use-comments.tsx'
import type { CommentFieldProps } from '../../../../renderer/features/changes/comments/comment-note.tsx'
import type { ReviewFile } from '../../../../renderer/features/changes/review-files.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { openPage } from '../../support/open-page.tsx'

const FILE = { path: '/code/a.ts', absolute: '/code/a.ts', shown: 'a.ts' } as ReviewFile
const TEXT = { kind: 'text', text: 'one\ntwo\n' } as const

/** A file under review. Main answers when the test lets it. */
async function openFile() {
  const { show } = openPage()
  for (const name of ['addEventListener', 'removeEventListener', 'requestAnimationFrame']) vi.stubGlobal(name, () => {})
  const saved: PromiseWithResolvers<{ readonly ok: true }>[] = []
  const comment = (): Promise<{ readonly ok: true }> => {
    const answer = Promise.withResolvers<{ readonly ok: true }>()
    saved.push(answer)
    return answer.promise
  }
  const client = { review: { comment } }
  const connection = { keep: () => ({ dispose: () => {} }), client, firstClient: async () => client }
  let last: Comments | undefined
  function Reader(): ReactNode {
    last = useComments(SESSION, FILE, { place: null, before: null, after: TEXT })
    return null
  }
  await show(
    <DeskContext value={{ connection } as unknown as Desk}>
      <Reader />
    </DeskContext>,
  )
  const field = (): CommentFieldProps | null => {
    const node = last?.notes.at(-1)?.node as { readonly props: CommentFieldProps } | undefined
    return node?.props ?? null
  }
  return {
    start: (line: number) => act(async () => last?.start({ side: 'additions', line })),
    type: (words: string) => act(async () => field()?.onWrite(words)),
    save: () => act(async () => void field()?.onStore()),
    /** Main has saved the comment. */
    answer: () => act(async () => saved[0]?.resolve({ ok: true })),
    draft: () => field()?.draft ?? null,
  }
}

test('a comment that is begun while another one is being saved is kept', async () => {
  const file = await openFile()
  await file.start(1)
  await file.type('Why?')
  await file.save()
  await file.start(2)
  await file.answer()
  expect(file.draft()?.from).toBe(2)
})

test('words that are typed while the comment is being saved are kept', async () => {
  const file = await openFile()
  await file.start(1)
  await file.type('Why?')
  await file.save()
  await file.type('Why? Because.')
  await file.answer()
  expect(file.draft()?.words).toBe('Why? Because.')
})

test('the field of a comment is closed when the comment is saved', async () => {
  const file = await openFile()
  await file.start(1)
  await file.type('Why?')
  await file.save()
  await file.answer()
  expect(file.draft()).toBeNull()
})
