import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knownAgent, listedAgents } from '../../main/foreign-agents/known-agents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('agents.json adds an agent, and changes one of the catalogue', async () => {
  const data = temporaryFolder('data')
  const own = { command: process.execPath, args: ['--acp'], hosts: ['models.example'], ports: [11434], folders: ['/srv/mine'] }
  await writeFile(
    join(data, 'agents.json'),
    JSON.stringify({ agents: { mine: { name: 'Mine', ...own }, codex: { hosts: ['proxy.example'] } } }),
  )
  expect(knownAgent(data, 'mine')).toMatchObject({
    name: 'Mine',
    file: process.execPath,
    ports: [11434],
    state: ['/srv/mine'],
    install: '',
  })
  expect(knownAgent(data, 'codex')?.hosts).toEqual(expect.arrayContaining(['api.openai.com', 'proxy.example']))
  expect(knownAgent(data, 'nobody')).toBeNull()
  expect(
    listedAgents(data, () => [])
      .agents.map(({ id }) => id)
      .at(-1),
  ).toBe('mine')
})

test.each([
  ['{', /is not JSON/u],
  [JSON.stringify({ agents: { mine: { ports: ['x'] } } }), /cannot be used: agents\.mine\.ports\.0/u],
  [JSON.stringify({ agents: { 'Bad id': {} } }), /cannot be used/u],
])('a broken agents.json is reported in a sentence, and the agents of the catalogue stay: %s', async (text, words) => {
  const data = temporaryFolder('data')
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'agents.json'), text)
  const { agents, problem } = listedAgents(data, () => [])
  expect(problem).toMatch(words)
  expect(agents.map(({ id }) => id)).toContain('claude')
})

test('the ways to sign in are those that the agent names, or else that of the catalogue', () => {
  const data = temporaryFolder('data')
  const own = { name: 'Log in with a browser', line: '/bin/agent --login' }
  const { agents } = listedAgents(data, (id) => (id === 'codex' ? [own] : []))
  const signIns = (wanted: string) => agents.find(({ id }) => id === wanted)?.signIns
  expect(signIns('codex')).toEqual([own])
  expect(signIns('goose')).toEqual([{ name: '', line: 'goose configure' }])
})
