import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { mappedEnvironment } from '../../../main/environment/layers/mapped-environment.ts'
import { seatbelt, seatbeltProfile } from '../../../main/environment/layers/seatbelt.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { randomRuns } from '../../random-runs.ts'
import { removeFolder } from '../../support/remove-folder.ts'

type Expression = string | { readonly text: string } | readonly Expression[]

/**
 * Reads a profile as macOS does: lists in parentheses, words, strings with backslashes, and comments from a semicolon to the end of the
 * line.
 */
function parsed(profile: string): readonly Expression[] {
  const token = /\s+|;[^\n]*|(?<open>\()|(?<close>\))|"(?<text>(?:\\[^]|[^"\\])*)"|(?<word>[^\s()";]+)/uy
  const stack: Expression[][] = [[]]
  while (token.lastIndex < profile.length) {
    const groups = token.exec(profile)?.groups
    if (!groups) throw new Error('The profile is not valid.')
    const top = stack.at(-1)
    if (groups['open'] !== undefined) stack.push([])
    else if (groups['close'] !== undefined) stack.at(-2)?.push(stack.pop() ?? [])
    else if (groups['text'] !== undefined) top?.push({ text: groups['text'].replaceAll(/\\([^])/gu, '$1') })
    else if (groups['word'] !== undefined) top?.push(groups['word'])
  }
  if (stack.length !== 1) throw new Error('A parenthesis is missing.')
  return stack[0] ?? []
}

const path = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom('"', '\\', '\\"', '") (allow file-write*)', '; x', '\n', '#"')),
  )
  .map((parts) => `/${parts.join('/').replaceAll('\0', '')}`)

test('for any folder names, the profile has the same rules with the exact paths', () => {
  fc.assert(
    fc.property(path, path, path, (folder, own, tree) => {
      expect(parsed(seatbeltProfile({ folder, own, tree }))).toEqual([
        ['version', '1'],
        ['allow', 'default'],
        ['deny', 'file-write*', ['subpath', { text: folder }]],
        ['deny', 'file-read*', 'file-write*', ['subpath', { text: own }]],
        ['allow', 'file-read*', 'file-write*', ['subpath', { text: tree }]],
        ['allow', 'file-read-metadata', ['path-ancestors', { text: tree }]],
      ])
    }),
    { numRuns: randomRuns(1_000) },
  )
})

/** A fake `sandbox-exec`. It logs its arguments, one per line, and runs the program if `accepts` is true. */
function sandboxExec(accepts: boolean) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'seatbelt-')))
  onTestFinished(() => removeFolder(base))
  const tree = join(base, 'tree')
  const folder = join(base, 'folder')
  mkdirSync(tree)
  mkdirSync(folder)
  const program = join(base, 'sandbox-exec')
  const log = join(base, 'log')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" "$3" >> '${log}'\n${accepts ? 'shift 2; exec "$@"' : 'exit 65'}\n`)
  chmodSync(program, 0o755)
  return { folder, tree, program, log, folders: { folder, own: base, tree } }
}

test('commands, shells and programs in a clone start through the sandbox of macOS, if it accepts the profile', async () => {
  const { folder, tree, program, log, folders } = sandboxExec(true)
  const confinement = await seatbelt(folders, { program, platform: 'darwin' })
  const env = mappedEnvironment(createLocalExecutionEnvironment(tree), { folder, tree, mapsCommands: true, confinement })
  onTestFinished(() => env.cleanup())
  expect((await env.execCommand('echo ran')).stdout).toBe('ran\n')
  expect((await (await env.openShell()).run('echo kept')).stdout).toBe('kept\n')
  const { stdout } = await env.spawn(['cat', log])
  expect(
    Buffer.from(stdout)
      .toString()
      .split('\n')
      .filter((line) => line === '-p'),
  ).toHaveLength(4)
})

test('without that sandbox, or if it refuses the profile, there is no confinement', async () => {
  const { program, folders } = sandboxExec(false)
  expect(await seatbelt(folders, { program, platform: 'darwin' })).toBeNull()
  expect(await seatbelt(folders, { program, platform: 'linux' })).toBeNull()
  expect(await seatbelt(folders, { program: join(folders.own, 'missing'), platform: 'darwin' })).toBeNull()
})
