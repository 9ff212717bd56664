import { expect, it } from 'vitest'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { input, opened, session } from './support/stores.ts'
import { tempFolder } from './support/temp-folder.ts'

it('a log can be continued correctly after many other logs were used, even through an old reference to it', async () => {
  const store = await opened(tempFolder())
  const ids = Array.from({ length: 60 }, (_, n) => session(`s${n}`))
  const held = store.log(session('s0'))
  for (let round = 0; round < 3; round++) for (const id of ids) store.log(id).append(input(`${round}`))
  held.append(input('held'))
  store.log(session('s0')).append(input('fresh'))
  held.append(input('held again'))
  for (const id of ids) {
    const all = [...store.log(id).read()]
    expect(all.slice(1).map(({ after }) => after)).toEqual(all.slice(0, -1).map(({ seq }) => seq))
    expect(store.ledger.snapshot(id, 100)).toEqual(foldAll(emptySession(id), all))
  }
})
