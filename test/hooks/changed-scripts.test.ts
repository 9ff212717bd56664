import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hooksHandlers } from '../../main/api/hooks.ts'
import type { ScriptedAnswer } from '../../main/providers/rehearsal/scripted-answer.ts'
import { createStorageThread } from '../../main/store/cleaning/storage-thread.ts'
import { call, message, say } from '../support/scripted-model.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { type Asked, openFamily } from '../subagents/support/family.ts'

const ROUNDS: readonly ScriptedAnswer[] = [
  message([call('read_file', { file_path: 'scripts/check.sh' })]),
  message([call('write_file', { file_path: 'scripts/check.sh', content: 'echo theirs >> "$TRACE"\n' })]),
  message([call('list_directory', { path: '.' })]),
  say('Done.'),
]
const CALL = { connection: 'window', signal: new AbortController().signal }

const script = ({ round }: Asked): ScriptedAnswer => ROUNDS[round] ?? say('Done.')

/** Removes everything from the content store that nothing needs. */
async function sweep(dataFolder: string): Promise<void> {
  const thread = createStorageThread(dataFolder)
  await thread.ask({ kind: 'sweep', blobs: null, kept: [] })
  await thread.close()
}

test.skipIf(hasNoCopies).each([
  ['full rights', undefined, 'sh scripts/check.sh'],
  ['full rights', undefined, '"$CLAUDE_PROJECT_DIR"/scripts/check.sh'],
  ['no sandbox', 'off', 'sh scripts/check.sh'],
  ['no sandbox', 'off', 'cd scripts && ./check.sh'],
] as const)(
  'a hook with %s (sandbox: %s) does not run a script that changed until the user allows it again: %s',
  { timeout: 60_000 },
  async (_, sandbox, command) => {
    const family = await openFamily(script, {
      mode: 'auto',
      ...(sandbox && { sandbox }),
      prepare: ({ folder, data }) => {
        const line = `export TRACE=${join(data, 'trace')}; ${command}`
        mkdirSync(join(folder, 'scripts'))
        writeFileSync(join(folder, 'scripts/check.sh'), 'echo mine >> "$TRACE"\n', { mode: 0o755 })
        mkdirSync(join(folder, '.claude'))
        const hooks = { PreToolUse: [{ matcher: 'LS', hooks: [{ type: 'command', command: line }] }] }
        writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ hooks }))
        writeFileSync(join(data, 'trace'), '')
      },
    })
    const { app, folder } = family
    const trace = join(folder, '../data/trace')
    const found = async () => {
      const [hook] = (await app.hooks.list(folder)).hooks
      if (!hook) throw new Error('There is no hook.')
      return hook
    }
    if (!sandbox) {
      const earlier = { ...(await found()), scripts: { [join(folder, 'scripts/check.sh')]: 'another content' } }
      expect(await app.hooks.setFree(folder, earlier, true)).toMatchObject([{ shown: 'scripts/check.sh' }])
      expect(await found()).toMatchObject({ isFree: false })
      await app.hooks.setFree(folder, await found(), true)
    }
    expect((await app.hooks.tryOut(folder, await found(), null))?.outcome).toBe('passed')
    expect(readFileSync(trace, 'utf8')).toBe('mine\n')

    await sweep(join(folder, '../data'))
    await family.ask()
    expect(readFileSync(join(folder, 'scripts/check.sh'), 'utf8')).toContain('theirs')
    expect(readFileSync(trace, 'utf8')).toBe('mine\n')
    const words = 'scripts/check.sh changed since you trusted it. It will not run until you review it in Settings > Hooks'
    expect(await found()).toMatchObject({
      changed: [{ shown: 'scripts/check.sh', hunks: ['@@ -1,1 +1,1 @@\n-echo mine >> "$TRACE"\n+echo theirs >> "$TRACE"'] }],
      last: { outcome: 'failed', says: expect.stringContaining(words) },
    })

    const shown = await found()
    appendFileSync(join(folder, 'scripts/check.sh'), 'echo later >> "$TRACE"\n')
    const { isFree, scripts, event, matcher, command: line } = shown
    const answer = await hooksHandlers(app.hooks).setFree({ folder, event, matcher, command: line, isFree, scripts }, CALL)
    expect(answer).toMatchObject({ ok: false, trouble: { what: expect.stringContaining('check.sh changed after this page showed it') } })
    expect(await found()).toMatchObject({ changed: [{ hunks: [expect.stringContaining('+echo later')] }] })
    expect((await app.hooks.tryOut(folder, await found(), null))?.outcome).toBe('failed')
    expect(readFileSync(trace, 'utf8')).toBe('mine\n')

    await app.hooks.setFree(folder, await found(), isFree)
    expect(await found()).toMatchObject({ changed: [] })
    expect((await app.hooks.tryOut(folder, await found(), null))?.outcome).toBe('passed')
    expect(readFileSync(trace, 'utf8')).toBe('mine\ntheirs\nlater\n')
  },
)
