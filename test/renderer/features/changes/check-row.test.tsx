import { act } from 'react'
import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import { CheckRow } from '../../../../renderer/features/changes/publish/check-row.tsx'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { openPage } from '../../support/open-page.tsx'

test('a double click on “Let the agent fix it” sends one message, even while the log is still being read', async () => {
  const { show, page, window } = openPage()
  const log = Promise.withResolvers<{ readonly ok: true; readonly lines: readonly string[] }>()
  const sent: string[] = []
  const client = {
    publish: { failedLines: () => log.promise },
    sessions: {
      send: async ({ text }: { readonly text: string }) => {
        sent.push(text)
        return { ok: false, trouble: { code: 'busy', what: 'Not now.', kept: '', todo: '' } }
      },
    },
  }
  const desk = {
    connection: { firstClient: async () => client },
    list: createStore(() => ({ sessions: new Map() })),
    notice: createStore(() => ({ trouble: null })),
  }
  const check = { id: '7', name: 'test', state: 'failed', startedAt: null, endedAt: null } as const
  await show(
    <DeskContext value={desk as unknown as Desk}>
      <CheckRow sessionId={SESSION} check={check} />
    </DeskContext>,
  )
  const click = () =>
    act(async () => {
      const button = [...page.querySelectorAll('button')].find((one) => one.getAttribute('aria-label')?.startsWith('Let the agent'))
      button?.dispatchEvent(new window.Event('click', { bubbles: true, cancelable: true }))
    })
  await click()
  await click()
  await act(async () => log.resolve({ ok: true, lines: ['✖ fails'] }))
  expect(sent).toHaveLength(1)
})
