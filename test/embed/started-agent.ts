import { onTestFinished } from 'vitest'
import { type Agent, type AgentOptions, createAgent, defineTool } from '../../main/agent-entry.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export async function folder(): Promise<string> {
  const path = temporaryFolder('embed')
  return path
}

export interface Started {
  readonly agent: Agent
  readonly model: ScriptedModel
  readonly cwd: string
}

export async function started(script: Script, options: Partial<AgentOptions> = {}): Promise<Started> {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const cwd = options.cwd ?? (await folder())
  const agent = await createAgent({ cwd, provider: 'anthropic', baseUrl: model.url, apiKey: 'test-key', ...options })
  onTestFinished(() => agent.close())
  return { agent, model, cwd }
}

export const bodyOf = async (model: ScriptedModel, index: number): Promise<string> =>
  Buffer.from((await model.request(index)).bytes).toString()
export const toolsIn = async (model: ScriptedModel, index: number): Promise<readonly string[]> =>
  (JSON.parse(await bodyOf(model, index)) as { tools: { name: string }[] }).tools.map(({ name }) => name)

export const weather = (says = 'sunny', needsApproval = false) =>
  defineTool<{ city: string }>({
    name: 'weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
    needsApproval,
    execute: ({ city }) => `${city}: ${says}`,
  })
