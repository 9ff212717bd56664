import { expect, test } from 'vitest'
import { mentionedResources } from '../../main/slash-commands/mentioned-resources.ts'
import { commandCalled } from '../../main/slash-commands/slash-command.ts'
import { EVERYTHING, FOLDER, node, startServers, until } from '../mcp/support/started-servers.ts'

test('a resource typed as @server:uri is attached once, or the reason why it cannot be read is given', async () => {
  const servers = startServers({ everything: node(EVERYTHING, 'stdio') })
  const [first] = await until(servers, () => (servers.resources(FOLDER).length > 0 ? servers.resources(FOLDER) : undefined))
  const whole = `Compare @everything:${first?.uri} and (@everything:${first?.uri}) with me@example.org, @src/a.ts:12 and @other:demo://x/y`
  const text = whole + (await mentionedResources(FOLDER, whole, servers))
  expect(text.slice(whole.length)).toMatch(/^\n\n<resource>\nResource demo:.* of the MCP server everything:\n\n[^<]*\n<\/resource>$/u)
  expect(await mentionedResources(FOLDER, text, servers)).toBe('')
  expect(await mentionedResources(FOLDER, 'See @everything:demo://nothing/here', servers)).toMatch(
    /^\n\n\[Resource demo:\/\/nothing\/here of the MCP server everything could not be read: /u,
  )
})

test.each([
  ['git:fix', 'git:fix'],
  ['fix', 'git:fix'],
  ['prompts:draft', 'draft'],
  ['prompts:fix', undefined],
  ['a', undefined],
  ['draft', 'draft'],
  ['none', undefined],
])('the name /%s calls the command %s', (name, expected) => {
  const commands = [
    ...['git:fix', 'x:a', 'y:a'].map((one) => ({ name: one, syntax: 'claude' as const })),
    { name: 'draft', syntax: 'codex' as const },
  ]
  expect(commandCalled(commands, name)?.name).toBe(expected)
})
