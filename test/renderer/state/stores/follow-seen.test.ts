import { expect, test } from 'vitest'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import { followDismissed } from '../../../../renderer/state/stores/follow-seen.ts'
import { createViewStore } from '../../../../renderer/state/stores/view-store.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { otherSide, when } from '../support/other-side.ts'

const id = (name: string): SessionId => `ses_${name}` as SessionId

test('a dismissal made while disconnected is sent later, unless the main process has newer information', async () => {
  const sent: unknown[] = []
  const { promise: isSent, resolve } = Promise.withResolvers<void>()
  const side = otherSide({
    sessions: {
      async *dismissed() {
        yield { [id('older')]: 9, [id('elsewhere')]: 4 }
        await isSent
        yield { [id('older')]: 9, [id('elsewhere')]: 4, [id('here')]: 7 }
      },
      dismiss(input) {
        sent.push(input)
        resolve()
        return { ok: true }
      },
    },
  })
  const view = createViewStore(null, null)
  view.setState({ dismissed: { [id('here')]: 7, [id('older')]: 2 } })
  const connection = new Connection(side.open)
  followDismissed(connection, view)
  await isSent
  await when(view, ({ dismissed }) => id('elsewhere') in dismissed)
  expect(view.getState().dismissed).toEqual({ [id('here')]: 7, [id('older')]: 9, [id('elsewhere')]: 4 })
  expect(sent).toEqual([{ sessionId: id('here'), cursor: 7 }])
  connection.dispose()
})
