import { readFileSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, message, say, startScriptedModel } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY = 'sk-ant-api03-CANARY-0123456789-abcdefghijkl'
const PASSWORD = 'p4ssw0rd-in-an-address'
const SECRETS = {
  ANTHROPIC_API_KEY: KEY,
  DATABASE_URL: `postgres://app:${PASSWORD}@db.internal/app`,
  GITHUB_TOKEN: 'ghp_0123456789abcdefghijklmnop',
}
const CANARIES = [KEY, PASSWORD, SECRETS.GITHUB_TOKEN, Buffer.from(KEY).toString('base64').slice(0, 40)]

const everywhere = (data: string): string =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('')

const run = async (tools: Parameters<typeof message>[0], args: readonly string[] = []) => {
  const cwd = temporaryFolder('project')
  await writeFile(join(cwd, '.env'), `KEY=${KEY}\nURL=${SECRETS.DATABASE_URL}\n`)
  await writeFile(join(cwd, 'AGENTS.md'), `Use ${KEY} for the service.\n`)
  const model = await startScriptedModel([message(tools), say('Done.')])
  onTestFinished(() => model.close())
  const data = temporaryFolder('data')
  const env = { ...SECRETS, ANTHROPIC_BASE_URL: model.url }
  const outcome = await runAgent(['--approve', 'all', ...args, 'Go'], { cwd, data, env })
  expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({ code: 0, stderr: '' })
  const requests = model.requests.map(({ body }) => JSON.stringify(body)).join('\n')
  return { outcome, requests, all: outcome.stdout + requests + everywhere(data) }
}

test.runIf(process.platform === 'linux')('a command finds no key in the app’s environment under /proc', async () => {
  const { outcome } = await run([
    call('shell', { command: 'tr "\\0" "\\n" < /proc/$PPID/environ | cut -c1-12 | sort; tr "\\0" "\\n" < /proc/$PPID/cmdline | tail -1' }),
  ])
  const [end] = ofKind(outcome, 'TOOL_CALL_END')
  // The first two checks show that the command could read the environment and the arguments of its parent process.
  expect(end?.output).toMatch(/^PATH=/m)
  expect(end?.output).toMatch(/^Go$/m)
  expect(end?.output).not.toMatch(/ANTHROPIC_AP|DATABASE_URL|GITHUB_TOKEN/)
})

test.each([
  ['on pipes', []],
  ['in a terminal', ['--pty']],
])('keys in commands, files, searches or project documents reach neither the output, the disk nor the model, %s', async (_, args) => {
  const { all, requests } = await run(
    [
      call('shell', {
        command:
          'cat .env; base64 -w0 .env; for f in /proc/[0-9]*/environ; do tr "\\0" "\\n" < $f; done 2>/dev/null | head -c 200000; true',
      }),
      call('shell', {
        command: `for part in ${KEY.slice(0, 7)} ${KEY.slice(7, 20)} ${KEY.slice(20)}; do printf %s $part; sleep 0.005; done`,
      }),
      call('read_file', { file_path: '.env' }),
      call('grep', { pattern: 'KEY=' }),
    ],
    args,
  )
  for (const canary of CANARIES) {
    // The output of the second command contains the key only in separate pieces.
    expect(all.includes(canary), canary).toBe(false)
  }
  expect(requests).toContain('Use [hidden by Countersign: ANTHROPIC_API_KEY] for the service.')
  expect(requests).toContain('KEY=[hidden by Countersign: ANTHROPIC_API_KEY]')
  expect(requests).toContain('[hidden by Countersign: DATABASE_URL]')
})

test('a write that would overwrite a key with a redaction marker is refused, and only the model reads what to do instead', async () => {
  const cwd = temporaryFolder('project')
  const before = `KEY=${KEY}\nPORT=1\n`
  await writeFile(join(cwd, 'config.txt'), before)
  const marked = 'KEY=[hidden by Countersign: ANTHROPIC_API_KEY]\nPORT=2\n'
  const patch = `*** Begin Patch\n*** Update File: config.txt\n*** Move to: moved.txt\n@@\n PORT=1\n+${marked.trim().replace('\n', '\n+')}\n*** End Patch`
  const model = await startScriptedModel([
    message([call('read_file', { file_path: 'config.txt' })]),
    message([
      call('write_file', { file_path: 'config.txt', content: marked }),
      call('edit_file', { file_path: 'config.txt', old_string: 'PORT=1', new_string: marked }),
      call('apply_patch', { patch }),
      call('edit_file', { file_path: 'config.txt', old_string: 'PORT=1', new_string: 'PORT=2' }),
      call('write_file', { file_path: 'doc.md', content: 'It says [hidden by Countersign: ANTHROPIC_API_KEY].' }),
    ]),
    say('Done.'),
  ])
  onTestFinished(() => model.close())
  const env = { ...SECRETS, ANTHROPIC_BASE_URL: model.url }
  const outcome = await runAgent(['--approve', 'all', 'Go'], { cwd, data: temporaryFolder('data'), env })
  const [, ...ends] = ofKind(outcome, 'TOOL_CALL_END')
  expect(ends.map((end) => [end['isError'], String(end['output']).includes('the key would be lost')])).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [false, false],
    [false, false],
  ])
  const advice = 'Make a smaller edit'
  expect(
    ends.slice(0, 3).map((end) => [String(end['output']).includes(advice), JSON.stringify(end['modelText']).includes(advice)]),
  ).toEqual([
    [false, true],
    [false, true],
    [false, true],
  ])
  expect(readFileSync(join(cwd, 'config.txt'), 'utf8')).toBe(before.replace('PORT=1', 'PORT=2'))
})
