import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { openedProgramConformance } from '../conformance/opened-program.ts'
import { programPortsConformance } from '../conformance/program-ports.ts'
import { hasNoCopies } from './copy/support.ts'
import { hostEnvironment } from './host-environment.ts'
import { sessionLayer } from './layers/session-layer.ts'
import { tempFolder } from './support.ts'

openedProgramConformance('local', () => createLocalExecutionEnvironment(tempFolder()))
openedProgramConformance('host process', () => hostEnvironment(tempFolder()))
programPortsConformance('local', () => createLocalExecutionEnvironment(tempFolder()))
programPortsConformance('host process', () => hostEnvironment(tempFolder()))
openedProgramConformance('clone layer', async () => (await sessionLayer('clone')).environment)

describe.skipIf(hasNoCopies)('with layers', () => {
  openedProgramConformance('overlay layer', async () => (await sessionLayer('overlay')).environment)
  programPortsConformance('overlay layer', async () => (await sessionLayer('overlay')).environment)

  it.each(['overlay', 'clone'] as const)(
    'a program opened in an %s layer works in the layer, and leaves the folder as it is',
    async (kind) => {
      const { environment, folder } = await sessionLayer(kind, { a: 'old' })
      const program = await environment.open(['bash', '--norc', '-c', 'cat a; printf new > a; printf b > b'])
      expect(await text(program.stdout)).toBe('old')
      expect((await program.ended).exitCode).toBe(0)
      expect([await environment.readFile('a'), await environment.fileExists('b')]).toEqual(['     1\tnew', true])
      expect([readFileSync(join(folder, 'a'), 'utf8'), existsSync(join(folder, 'b'))]).toEqual(['old', false])
    },
  )

  it('a program opened in an overlay layer asks before it reaches a host, and reaches no refused host', async () => {
    const { environment, inside } = await sessionLayer('overlay')
    const asked: string[] = []
    const begun = await inside?.begin(({ host, port }) => {
      asked.push(`${host}:${port}`)
      return Promise.resolve(false)
    })
    const program = await environment.open(['bash', '--norc', '-c', 'curl -sS http://asked.example/; echo; exec 3<>/dev/tcp/127.0.0.1/1'])
    program.stderr.resume()
    await text(program.stdout)
    expect((await program.ended).exitCode).not.toBe(0)
    expect(asked).toEqual(['asked.example:80'])
    expect(begun?.blocked).toEqual([{ host: 'asked.example', port: 80 }])
    begun?.dispose()
  })
})
