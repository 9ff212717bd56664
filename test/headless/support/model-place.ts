import { onTestFinished } from 'vitest'
import { type Script, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { expectAllSameAfterImport } from '../../transfer/support/same-fold.ts'
import type { AgentOptions } from './agent-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export const KEY = 'sk-ant-test-canary-9f3e'

export interface Place extends AgentOptions {
  readonly env: Readonly<Record<string, string>>
  readonly model: ScriptedModel
}

/**
 * Creates an empty project, an empty data folder, and a scripted model whose address is in the environment. When the test has finished,
 * checks that every session in the data folder is the same after an export and an import.
 */
export async function place(script: Script): Promise<Place> {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url }
  const data = temporaryFolder('data')
  onTestFinished(() => expectAllSameAfterImport(data))
  return { cwd: temporaryFolder('project'), data, env, model }
}

/** Returns the body of a request as text. */
export async function asked(model: ScriptedModel, index: number): Promise<string> {
  return Buffer.from((await model.request(index)).bytes).toString()
}
