import { act, type ReactNode } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { useStepTexts } from '../../../../renderer/state/hooks/changes/use-step-texts.ts'
import { createBlobTexts } from '../../../../renderer/state/stores/blob-cache.ts'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import { CallOutput } from '../../../../renderer/tools/view/call-output.tsx'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { BlobHash, SessionId } from '../../../../shared/lib/ids.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { openPage } from '../../support/open-page.tsx'
import { otherSide, when } from '../support/other-side.ts'

const HASH = 'a'.repeat(64) as BlobHash
const ONE = 'ses_1' as SessionId
const TWO = 'ses_2' as SessionId

/** A window whose texts come from main. `texts` are its answers, in order; null is a failure. */
async function openTexts(texts: readonly (BlobText | null)[]) {
  const { show, page, window } = openPage()
  const asked: SessionId[] = []
  const side = otherSide({
    changes: {
      async blob({ sessionId }) {
        const text = texts[asked.push(sessionId) - 1]
        if (!text) throw new Error('The disk failed.')
        return text
      },
    },
  })
  const connection = new Connection(side.open)
  onTestFinished(() => connection.dispose())
  await when(connection.state, ({ kind }) => kind === 'open')
  const desk = { connection, texts: createBlobTexts(connection) } as unknown as Desk
  return {
    asked,
    show: (node: ReactNode) => show(<DeskContext value={desk}>{node}</DeskContext>),
    shows: (words: string) => act(() => expect.poll(() => page.textContent).toContain(words)),
    press: (words: string) =>
      act(async () => {
        const button = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === words)
        button?.dispatchEvent(new window.Event('click', { bubbles: true }))
      }),
  }
}

function Step({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const texts = useStepTexts(sessionId, [{ path: '/a', shown: 'a', before: null, after: HASH }])
  return texts.kind === 'failed' ? <button onClick={texts.retry}>failed</button> : JSON.stringify(texts)
}

const output = (sessionId: SessionId): ReactNode => {
  const call = { toolName: 'web_fetch', args: {}, output: 'begin', outputBlob: { hash: HASH, bytes: 9 } } as unknown as CallItem
  return <CallOutput call={call} sessionId={sessionId} />
}

test('a text that could not be read in one session is read in another one, and can be read again', async () => {
  const page = await openTexts([null, null, { kind: 'text', text: 'hello' }])
  await page.show(<Step sessionId={ONE} />)
  await page.shows('failed')
  await page.show(<Step sessionId={TWO} />)
  await page.shows('failed')
  expect(page.asked).toEqual([ONE, TWO])
  await page.press('failed')
  await page.shows('hello')
})

test('an output that could not be read in one session is read in another one', async () => {
  const page = await openTexts([null, { kind: 'text', text: 'hello' }])
  await page.show(output(ONE))
  await page.press('Show all')
  await page.shows('The rest could not be read.')
  await page.show(output(TWO))
  await page.shows('hello')
  expect(page.asked).toEqual([ONE, TWO])
})

test('an output that main could not find is read again when the user asks again', async () => {
  const page = await openTexts([{ kind: 'missing' }, { kind: 'text', text: 'hello' }])
  await page.show(output(ONE))
  await page.press('Show all')
  await page.shows('The rest could not be read.')
  await page.press('Show less')
  await page.press('Show all')
  await page.shows('hello')
  await page.press('Show less')
  await page.press('Show all')
  await page.shows('hello')
  expect(page.asked).toHaveLength(2)
})
