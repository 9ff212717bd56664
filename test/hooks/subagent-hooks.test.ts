import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, message, say } from '../support/scripted-model.ts'
import { openFamily } from '../subagents/support/family.ts'

const run = (command: string, matcher = '') => ({ matcher, hooks: [{ type: 'command', command }] })

const HOOKS = {
  SubagentStop: [
    run(
      'cat > stop.json; grep -o "\\"role\\":\\"[a-z]*\\"" "$(sed "s/.*agent_transcript_path\\":\\"\\([^\\"]*\\).*/\\1/" stop.json)" > roles',
      'explore',
    ),
    run('touch wrong', 'code-reviewer'),
  ],
  PreToolUse: [run('cat > agent.json', 'Agent'), run('cat > read.json', 'Read')],
  SessionEnd: [run('echo end >> ends')],
}

test('hooks of a subagent learn which subagent it is, and SessionEnd runs once', async () => {
  const family = await openFamily(
    ({ who, round }) => {
      if (who !== 'PARENT') return round === 0 ? message([call('read_file', { file_path: 'a.txt' })]) : say('Looked.')
      return round === 0 ? message([call('task', { agent_type: 'explore', prompt: 'CHILD-A: look' })]) : say('Done.')
    },
    {
      sandbox: 'off',
      prepare: ({ folder }) => {
        mkdirSync(join(folder, '.claude'))
        writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ hooks: HOOKS }))
        writeFileSync(join(folder, 'a.txt'), 'a')
      },
    },
  )
  await family.ask()
  const [child] = family.children()
  const read = (name: string): unknown => JSON.parse(readFileSync(join(family.folder, name), 'utf8'))
  const agent = { agent_id: child?.sessionId, agent_type: 'explore', session_id: family.parent.sessionId }
  expect(read('stop.json')).toMatchObject({ ...agent, hook_event_name: 'SubagentStop', last_assistant_message: 'Looked.' })
  expect(read('read.json')).toMatchObject(agent)
  expect(read('agent.json')).toMatchObject({ tool_name: 'Agent', tool_input: { subagent_type: 'explore', prompt: 'CHILD-A: look' } })
  expect(read('agent.json')).not.toHaveProperty('agent_id')
  expect(readFileSync(join(family.folder, 'roles'), 'utf8').trim().split('\n')).toEqual(
    ['user', 'assistant', 'user', 'assistant'].map((role) => `"role":"${role}"`),
  )
  expect(existsSync(join(family.folder, 'wrong'))).toBe(false)
  const { transcript_path: transcript } = read('agent.json') as { readonly transcript_path: string }
  expect(existsSync(transcript)).toBe(true)
  await family.app.close()
  expect(readFileSync(join(family.folder, 'ends'), 'utf8')).toBe('end\n')
  expect(existsSync(transcript)).toBe(false)
})
