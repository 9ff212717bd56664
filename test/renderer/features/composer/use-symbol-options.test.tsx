import { act, type ReactNode } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useSymbolOptions } from '../../../../renderer/features/composer/completion/use-symbol-options.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import type { FoundSymbol } from '../../../../shared/api/workspace.ts'
import { otherSide, when } from '../../state/support/other-side.ts'
import { openPage } from '../../support/open-page.tsx'

interface Answer {
  readonly symbols: readonly FoundSymbol[]
  readonly isReady: boolean
}

const FOUND: FoundSymbol = { name: 'parseDay', kind: 'function', path: 'day.ts', line: 3 }

test('the symbols of a folder that is still being read are asked for again, and an answer that takes longer than the pause counts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answers: PromiseWithResolvers<Answer>[] = []
  const side = otherSide({
    workspace: {
      symbols() {
        const answer = Promise.withResolvers<Answer>()
        answers.push(answer)
        return answer.promise
      },
    },
  })
  const { show, page } = openPage()
  const connection = new Connection(side.open)
  onTestFinished(() => connection.dispose())
  await when(connection.state, ({ kind }) => kind === 'open')
  const target = { kind: 'path', typed: 'parse', command: '', from: 0, to: 6 } as const
  function Reader(): ReactNode {
    return useSymbolOptions(target, '/code').map(({ words }) => words)
  }
  await show(
    <DeskContext value={{ connection } as unknown as Desk}>
      <Reader />
    </DeskContext>,
  )
  const passes = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const answer = (at: number, given: Answer) =>
    act(async () => {
      answers[at]?.resolve(given)
      await vi.advanceTimersByTimeAsync(0)
    })
  await passes(0)
  await answer(0, { symbols: [], isReady: false })
  expect(answers).toHaveLength(1)
  await passes(700)
  expect(answers).toHaveLength(2)
  await passes(5_000)
  expect(answers).toHaveLength(2)
  await answer(1, { symbols: [FOUND], isReady: true })
  expect(page.textContent).toBe('parseDay')
  await passes(5_000)
  expect(answers).toHaveLength(2)
})
