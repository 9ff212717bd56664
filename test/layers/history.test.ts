import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { NO_FILTERS } from '../../shared/api/history.ts'
import type { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { pathWithoutBubblewrap } from '../headless/support/path-without-bubblewrap.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { answer, beside, broughtIn, LINES, TEXT, withLine, text } from './support/beside.ts'

describe.each(['overlay', 'clone'] as const)('the history of a session in an %s', (kind) => {
  it.skipIf(kind === 'overlay' && hasNoCopies)(
    'is found by search, replayed with the files of the layer, and so is what was brought in',
    { timeout: 60_000 },
    async () => {
      if (kind === 'clone') vi.stubEnv('PATH', await pathWithoutBubblewrap(temporaryFolder('path')))
      const edit = (from: string, to: string) => call('edit_file', { path: 'a.txt', old_string: from, new_string: to })
      const family = await beside(({ round }) =>
        round < 2 ? calls(edit(LINES[round] ?? '', round === 0 ? 'needle' : 'thread')) : say('Done.'),
      )
      await family.ask()
      const { app, folder, parent } = family
      expect(text(family, 'a.txt')).toBe(TEXT)
      const folders = await app.workspaces.open(folder)
      expect(folders.ok && (await folders.value.layers?.whyClones()) === null).toBe(kind === 'overlay')
      const once = withLine(1, 'needle')
      const twice = withLine(2, 'thread', once.trimEnd().split('\n'))
      const shown = (hash: BlobHash | null): string | null => hash && Buffer.from(app.store.blobs.get(hash)).toString()
      /** The versions of the file in the replay, without repeats. */
      const replayed = async (sessionId: SessionId) => {
        const outline = await app.history.outline(sessionId)
        if (!outline.ok) throw new Error(outline.failure.what)
        const seen: (string | null)[] = []
        for (const { seq } of outline.value.stops) {
          const moment = await app.history.moment(sessionId, seq)
          const file = moment.ok ? moment.value.files.find(({ path }) => path === join(folder, 'a.txt')) : undefined
          const now = file === undefined ? null : shown(file.after)
          if (seen.at(-1) !== now) seen.push(now)
        }
        return seen
      }
      const found = async (words: string) => {
        const hits = await app.history.search({
          ...NO_FILTERS,
          words,
          foundIn: 'diff',
          touched: 'a.txt',
          order: 'newest',
          perSession: null,
        })
        if (!hits.ok) throw new Error(hits.failure.what)
        return hits.value.hits.map(({ sessionId, path }) => [sessionId, path])
      }
      expect(await replayed(parent.sessionId)).toEqual([null, once, twice])
      expect(await found('needle')).toEqual([[parent.sessionId, 'a.txt']])
      const session = await broughtIn(family)
      await answer(session, { kind: 'sign' })
      expect(text(family, 'a.txt')).toBe(twice)
      expect(await replayed(session.sessionId)).toEqual([null, twice])
      expect(await replayed(parent.sessionId)).toEqual([null, once, twice])
      expect(await found('thread')).toEqual([
        [session.sessionId, 'a.txt'],
        [parent.sessionId, 'a.txt'],
      ])
    },
  )
})
