import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findTranscripts } from '../../main/transfer/import/find-transcripts.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const lines = (...values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')

test('sessions of other programs are listed newest first, with their folder and the first words of the user', async () => {
  const home = tempFolder()
  const put = (path: string, at: number, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
    utimesSync(join(home, path), at, at)
  }
  const said = (content: unknown) => ({ type: 'user', cwd: '/w/shop', message: { role: 'user', content } })
  put('.claude/projects/w-shop/a.jsonl', 1_000, lines(said('<command-name>/init</command-name>'), said('Mend the\n cents')))
  put('.claude/projects/w-shop/b.jsonl', 3_000, lines('not JSON', said([{ type: 'text', text: 'Add VAT' }]), '{"cut'))
  put('.claude/projects/w-shop/a/subagents/agent-1.jsonl', 9_000, lines(said('Not a session')))
  put(
    '.codex/sessions/2026/11/20/rollout-1.jsonl',
    2_000,
    lines(
      { type: 'session_meta', payload: { cwd: '/w/api' } },
      { type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Speed it up' }] } },
    ),
  )
  put('.codex/sessions/2026/11/20/notes.jsonl', 4_000, lines(said('Not a session')))
  const found = await findTranscripts(home)
  expect(found.map(({ source, title, folder, at }) => [source, title, folder, at])).toEqual([
    ['claude', 'Add VAT', '/w/shop', 3_000_000],
    ['codex', 'Speed it up', '/w/api', 2_000_000],
    ['claude', 'Mend the cents', '/w/shop', 1_000_000],
  ])
})

test('a home folder without such sessions has an empty list', async () => {
  expect(await findTranscripts(tempFolder())).toEqual([])
})
