import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { beside } from './support/beside.ts'

/** Copies a file of the layer, and counts the lines of the conversation whose path it gets. */
const HOOK = `cp layer.txt seen.txt; path=$(sed -n 's/.*"transcript_path":"\\([^"]*\\)".*/\\1/p'); wc -l < "$path" > lines.txt`

it.skipIf(hasNoCopies)(
  'a hook of a session in an overlay runs in the layer, and can read the conversation',
  { timeout: 60_000 },
  async () => {
    const rounds = [calls(call('shell', { command: 'echo work > layer.txt' })), calls(call('shell', { command: 'cat seen.txt lines.txt' }))]
    const family = await beside(
      ({ round }) => rounds[round] ?? say('Finished.'),
      ({ folder }) => {
        const hooks = { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: HOOK }] }] }
        mkdirSync(join(folder, '.claude'))
        writeFileSync(join(folder, '.claude', 'settings.json'), JSON.stringify({ hooks }))
      },
    )
    await family.ask()
    expect(JSON.stringify(family.model.requests.at(-1)?.body.messages)).toMatch(/work\\n[1-9]/u)
    expect(['seen.txt', 'lines.txt'].map((name) => existsSync(join(family.folder, name)))).toEqual([false, false])
  },
)
