import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storageThreadOf } from '../../../main/compose/stored-session-parts.ts'
import { removeTranscripts, transcriptFile } from '../../../main/store/hook-transcripts.ts'
import { CONFIG, opened } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('at start, the transcripts that a killed process left for hooks are removed, except those of open sessions', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const left = store.sessions.create({ cwd: '/w', ...CONFIG })
  const open = store.sessions.create({ cwd: '/w', ...CONFIG })
  store.claims.release(left)
  expect(store.claims.acquire(open).ok).toBe(true)
  for (const sessionId of [left, open]) await transcriptFile(folder, sessionId).update(['Hello.'], (text) => text)
  const thread = await storageThreadOf(store, folder, false)
  onTestFinished(() => thread.close())
  const kept = () => readdirSync(join(folder, 'transcripts'))
  expect(kept()).toEqual([`${open}.jsonl`])
  await removeTranscripts(folder, [open])
  expect(kept()).toEqual([])
})
