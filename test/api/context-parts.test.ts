import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { openDesk, type ServedDesk } from './support/served-desk.ts'
import type { SessionId } from '../../shared/lib/ids.ts'

/** Sends the text and waits until the turn has ended. */
async function turn({ client }: ServedDesk, sessionId: SessionId, text: string): Promise<void> {
  await client.sessions.send({ sessionId, inputId: `in_${text.length}`, text, delivery: 'queue' })
  const end = new AbortController()
  try {
    for await (const item of client.sessions.list({}, end.signal))
      if (item.kind === 'changed' && item.session.run === 'IDLE' && item.session.ended === 'completed') return
  } finally {
    end.abort()
  }
}

it('the contents of the context window are listed by source, even after a restart (S-32)', async () => {
  const desk = await openDesk([
    calls(call('read_file', { file_path: 'long.txt' }), call('shell', { command: 'printf done' })),
    say('It is long.'),
  ])
  writeFileSync(join(desk.folder, 'AGENTS.md'), `Use tabs.\n${'A rule. '.repeat(1_000)}`)
  writeFileSync(join(desk.folder, 'long.txt'), 'twelve chars\n'.repeat(1_500))
  const sessionId = await desk.session('full')
  expect(await desk.client.sessions.contextParts({ sessionId })).toEqual([])
  await turn(desk, sessionId, 'Look at it: '.repeat(100))
  const parts = await desk.client.sessions.contextParts({ sessionId })
  expect(parts.map(({ part }) => part)).toEqual(['prompt', 'documents', 'tools', 'said', 'answers', 'files', 'results'])
  const tokens = Object.fromEntries(parts.map(({ part, tokens: count }) => [part, count]))
  // A token counts as four characters: 8,000 characters of the document, 1,200 of the message, and 30,000 of the file with its line
  // numbers.
  expect([tokens['documents'], tokens['said'], tokens['files']].map((count) => Math.round((count ?? 0) / 100))).toEqual([20, 3, 75])
  expect(Math.min(tokens['prompt'] ?? 0, tokens['tools'] ?? 0)).toBeGreaterThan(500)
  expect(tokens['results']).toBeLessThan(100)
  const again = await desk.again()
  expect(await again.client.sessions.contextParts({ sessionId })).toEqual(parts)
  expect(desk.bugs).toEqual([])
})
