import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAgent } from '../../../main/agent-entry.ts'
import { refusedMember } from '../../../main/providers/failures/refused-member.ts'
import { call, calls, say, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch\n'
interface Body {
  readonly tools: readonly { readonly type: string; readonly name: string; readonly parameters?: object }[]
  readonly input: readonly { readonly type?: string }[]
}
const bodies = ({ requests }: ScriptedModel) => requests.map(({ json }) => json as unknown as Body)
const formOf = ({ tools }: Body) => tools.find(({ name }) => name === 'apply_patch')?.type

test('if a server refuses the free-form apply_patch, the request is repeated with the JSON tool and the user is informed once', async () => {
  const model = await startScriptedModel(({ json, index }) => {
    if (formOf(json as unknown as Body) === 'custom') {
      const error = {
        message: "Invalid value: 'custom'. Supported values are: 'function'.",
        type: 'invalid_request_error',
        param: 'tools[2].type',
      }
      return { kind: 'raw', status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) }
    }
    return index === 1 ? calls(call('apply_patch', { patch: PATCH })) : say('Added.')
  })
  onTestFinished(() => model.close())
  const cwd = temporaryFolder('project')
  const agent = await createAgent({
    cwd,
    dataFolder: temporaryFolder('data'),
    provider: 'openai',
    model: 'gpt-5.5',
    apiKey: 'test-key',
    baseUrl: `${model.url}/v1`,
    policy: 'full',
  })
  onTestFinished(() => agent.close())
  const session = await agent.createSession()
  expect(await session.submit('Add a.txt')).toEqual({ ended: 'completed', text: 'Added.', error: null })
  expect(await session.submit('Thanks')).toMatchObject({ ended: 'completed' })
  await session.close()
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('hello\n')
  const sent = bodies(model)
  expect(sent.map(formOf)).toEqual(['custom', 'function', 'function', 'function'])
  expect(sent[1]?.tools.find(({ name }) => name === 'apply_patch')?.parameters).toBeDefined()
  expect(sent[2]?.input.map(({ type }) => type)).toEqual(expect.arrayContaining(['function_call', 'function_call_output']))
  const told: string[] = []
  for await (const event of session.events()) if (event.kind === 'WARNING') told.push(event.trouble.what)
  expect(told).toEqual([expect.stringContaining('“tools called with plain text” for gpt-5.5')])
})

describe('a refusal of free-form tools is recognized by its words or by the position of the tool that it names', () => {
  const custom = { type: 'custom', name: 'apply_patch', description: 'Patches.', format: {} }
  const body = JSON.stringify({ model: 'm', tools: [{ type: 'function', name: 'grep', parameters: {} }, custom], input: [] })
  const refusal = (message: string, param?: string) =>
    Object.assign(new Error(message), { status: 400, error: { error: { message, param } } })
  test.each([
    ["Unsupported tool type: 'custom'", undefined],
    ['Custom tools are not supported with this model: custom_tool', undefined],
    ["[{'loc': ('body', 'tools', 1, 'parameters'), 'msg': 'Field required'}]", undefined],
    ['Missing required parameter.', 'tools[1].parameters'],
    ['Lark grammars cannot be used here.', undefined],
  ])('%s', (message, param) => {
    expect(refusedMember(refusal(message, param), body)).toBe('freeForm')
  })

  test.each([
    ['Invalid schema for function grep', 'tools[0].parameters'],
    ['tools: at most 128 are allowed', 'tools'],
  ])('other refusals are not mistaken for a refusal of free-form tools: %s', (message, param) => {
    expect(refusedMember(refusal(message, param), body)).toBeNull()
  })
})
