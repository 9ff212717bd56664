import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countChangedLinesInSlices } from '../../main/changes/count-changed-lines.ts'
import { createTools } from '../../main/tools/create-tools.ts'
import { message, say, text } from '../support/scripted-model.ts'
import { ends, only, read, rigFor, said, write } from './support/scripted-rig.ts'

const TOOLS = createTools({ countLines: countChangedLinesInSlices })

describe('a pause by the service (D-44, fault 48)', () => {
  const paused = message([text('I look')], { stopReason: 'pause_turn' })

  test('does not end the turn: the request is repeated with exactly the text received so far, and the incomplete call does not run', async () => {
    const half = message([text('I write'), write('a.txt', 'a')], { stopReason: 'pause_turn' })
    const { provider, rig } = await rigFor([paused, half, say('Done.')], { mode: 'full' })
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect(said({ provider }, 1)?.map(([kind]) => kind)).toEqual(['user', 'assistant'])
    expect(said({ provider }, 2)?.map(([kind]) => kind)).toEqual(['user', 'assistant', 'assistant', 'tool_results'])
    expect(ends(rig).map(([, outcome]) => outcome)).toEqual(['failed'])
    await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
  })
})

test('if processing an answer throws, its text and usage are kept, and no call is executed', async () => {
  const broken = TOOLS.map((tool) => ({
    ...tool,
    canonicalArguments: () => {
      throw new Error('no arguments')
    },
  }))
  const answer = message([text('I write'), write('a.txt', 'a')], { usage: { input: 7, output: 5 } })
  const { rig } = await rigFor([answer], { mode: 'full', tools: broken })
  rig.session.submit('go')
  expect((await rig.session.idle()).ended).toBe('error')
  expect(only(rig, 'ASSISTANT_TURN')).toMatchObject([{ parts: [{ text: 'I write' }, { toolName: 'write_file' }], complete: false }])
  expect(only(rig, 'USAGE')).toMatchObject([{ turn: { input: 7, output: 5 } }])
  expect(only(rig, 'ERROR')).toMatchObject([{ error: { code: 'internal', what: expect.stringContaining('no arguments') as string } }])
  await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
})

test('arguments that are nested too deeply are refused with a message before any recursive code reads them (fault 47)', async () => {
  const deep = { ...read('a.txt'), args: `{"file_path":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }
  const { provider, rig } = await rigFor([message([deep]), say('I see.')])
  rig.session.submit('go')
  expect((await rig.session.idle()).ended).toBe('completed')
  const results = provider.requests[1]?.turns.at(-1)
  expect(results?.kind === 'tool_results' && results.results[0]?.output).toMatch(/nested more than 128 levels/)
})
