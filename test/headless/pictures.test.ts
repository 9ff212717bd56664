import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Envelope } from '../../shared/session/events.ts'
import { say } from '../support/scripted-model.ts'
import { JPEG, png } from '../support/small-pictures.ts'
import { ofKind, runAgent, startAgent } from './support/agent-process.ts'
import { asked, place } from './support/model-place.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const RED = png(2, 2, [255, 0, 0])

describe('--image', () => {
  test('sends the task’s pictures byte for byte; relative paths start in the current folder', async () => {
    const at = await place([say('A red one.')])
    await writeFile(join(at.cwd, 'red.png'), RED)
    await writeFile(join(at.cwd, 'photo'), JPEG)
    const args = ['--image', 'red.png', '--image', join(at.cwd, 'photo'), 'What is on these?']
    const outcome = await startAgent(args, at, { cwd: at.cwd, named: false }).outcome
    expect({ code: outcome.code, ended: ofKind(outcome, 'PROCESSING_END') }).toEqual({
      code: 0,
      ended: [{ kind: 'PROCESSING_END', reason: 'completed' }],
    })
    const body = JSON.parse(await asked(at.model, 0)) as { readonly messages: readonly { readonly content: readonly object[] }[] }
    expect(body.messages[0]?.content).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: RED.toString('base64') } },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: JPEG.toString('base64') } },
      { type: 'text', text: 'What is on these?' },
    ])
    const line = outcome.stdout.split('\n').find((one) => one.includes('"USER_INPUT"')) ?? ''
    const { event, blobs } = JSON.parse(line) as Envelope & { readonly blobs: Readonly<Record<string, string>> }
    const hash = event.kind === 'USER_INPUT' ? (event.pictures?.[0]?.hash ?? '') : ''
    expect(await readFile(blobs[hash] ?? '')).toEqual(RED)
    expect(line).not.toContain(RED.toString('base64'))
  })

  test.each([
    [
      'nothing-there.png',
      null,
      /^--image \/.*nothing-there\.png: The picture could not be read: it does not exist\. Name a PNG, JPEG, GIF or WebP file that can be read\.\n$/,
    ],
    [
      'notes.png',
      Buffer.from('words'),
      /^--image \/.*notes\.png: Models cannot read this picture: it is not a PNG, JPEG, GIF or WebP\. Convert it to one of these, or .+\.\n$/,
    ],
    [
      'huge.png',
      Buffer.concat([RED, Buffer.alloc(3_750_000)]),
      /^--image \/.*huge\.png: The picture is 3\.76 MB, but models accept at most 3\.75 MB\. Make it smaller, or crop it to the part that matters\.\n$/,
    ],
    ['', null, /^--image needs a value; it was empty/],
  ])('%j is refused before a request is sent', async (name, bytes, words) => {
    const at = await place([])
    if (bytes) await writeFile(join(at.cwd, name), bytes)
    const outcome = await runAgent(['--image', name === '' ? '' : join(at.cwd, name), 'Look'], at)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatch(words)
    expect(at.model.requests).toEqual([])
  })

  test('a folder, or a pipe without a writer, is refused', async () => {
    const at = await place([])
    const pipe = join(temporaryFolder('pipe'), 'pipe.png')
    execFileSync('mkfifo', [pipe])
    const todo = 'Name a PNG, JPEG, GIF or WebP file that can be read.'
    for (const [path, why] of [
      [pipe, 'it is not a file'],
      [at.cwd, 'it is a folder'],
    ] as const) {
      const { code, stderr } = await runAgent(['--image', path, 'Look'], at)
      expect({ code, stderr }).toEqual({ code: 2, stderr: `--image ${path}: The picture could not be read: ${why}. ${todo}\n` })
      expect(at.model.requests).toEqual([])
    }
  })
})
