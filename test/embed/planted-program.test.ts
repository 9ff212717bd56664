import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '../../main/agent-entry.ts'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Windows has no `cat`.
test.skipIf(process.platform === 'win32')(
  'an agent of a host program does not run a program of the project unasked, although it only reads',
  async () => {
    const cwd = temporaryFolder('planted')
    const outside = temporaryFolder('outside')
    const bin = join(cwd, '.venv/bin')
    await mkdir(bin, { recursive: true })
    await writeFile(join(bin, 'cat'), `#!/bin/sh\ntouch ${outside}/ran\n`)
    await chmod(join(bin, 'cat'), 0o755)
    await writeFile(join(cwd, 'a.txt'), 'hello\n')
    vi.stubEnv('PATH', bin + delimiter + process.env['PATH'])
    onTestFinished(() => void vi.unstubAllEnvs())
    const model = await startScriptedModel([calls(call('shell', { command: 'cat a.txt' })), say('Done.')])
    onTestFinished(() => model.close())
    const agent = await createAgent({ cwd, provider: 'anthropic', baseUrl: model.url, apiKey: 'test-key', policy: 'ask' })
    onTestFinished(() => agent.close())
    const session = await agent.createSession()
    await session.submit('Read it')
    expect(existsSync(join(outside, 'ran'))).toBe(false)
  },
)
