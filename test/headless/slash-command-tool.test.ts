import { describe, expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { asked, place } from './support/model-place.ts'

describe('a model that calls a slash command of the conversation', () => {
  test.each([
    { command: '/compact Keep the names of the files.', instructions: 'Keep the names of the files.' },
    { command: '/clear', instructions: 'Keep only the developer’s requests, what is done and what is left to do.' },
  ])('$command: its next request contains a summary in place of the conversation', async ({ command, instructions }) => {
    const listing = calls(call('glob', { pattern: '*' }))
    const at = await place([listing, calls(call('SlashCommand', { command })), say('A summary of it all.'), say('Done.')])
    const outcome = await runAgent(['Look at the files'], at)
    expect(outcome.code).toBe(0)
    expect(ofKind(outcome, 'COMPACTION_REQUESTED')).toMatchObject([{ instructions }])
    expect(await asked(at.model, 1)).toContain('"name":"glob","input"')
    expect(await asked(at.model, 2)).toContain(instructions)
    expect(await asked(at.model, 3)).toContain('A summary of it all.')
    expect(await asked(at.model, 3)).not.toContain('"name":"glob","input"')
    expect(ofKind(outcome, 'PROCESSING_END')).toMatchObject([{ reason: 'completed' }])
  })

  test('another command that does not exist is an error that names those that do', async () => {
    const at = await place([calls(call('SlashCommand', { command: '/help' })), say('Done.')])
    await runAgent(['Help'], at)
    expect(await asked(at.model, 1)).toContain('There is no slash command /help. There are: /clear, /compact.')
  })
})
