import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const patch = '*** Begin Patch\n*** Add File: d/f.txt\n+evil\n*** End Patch'
const folderSwap = { swapped: 'd', target: 'f.txt' } as const
const fileSwap = { swapped: 'a.txt', target: 'a.txt' } as const

test.skipIf(hasNoCopies).each([
  ['a file in the folder', call('write_file', { file_path: 'd/f.txt', content: 'evil' }), folderSwap],
  ['a patch in the folder', call('apply_patch', { patch }), folderSwap],
  ['a deletion in the folder', call('delete_file', { file_path: 'd/old.txt' }), { swapped: 'd', target: 'old.txt' }],
  ['what a command changed in the folder', call('shell', { command: 'echo evil > d/f.txt' }), folderSwap],
  ['what a command deleted in the folder', call('shell', { command: 'rm d/old.txt' }), { swapped: 'd', target: 'old.txt' }],
  ['an edit of the file', call('edit_file', { file_path: 'a.txt', old_string: 'hello', new_string: 'evil' }), fileSwap],
  ['what a command changed in the file', call('shell', { command: 'echo evil > a.txt' }), fileSwap],
] as const)(
  '%s is not applied through a link that takes its place before the signature',
  { timeout: 60_000 },
  async (_, made, { swapped, target }) => {
    const at = await place([calls(made), say('Done.')])
    const elsewhere = temporaryFolder('elsewhere')
    for (const folder of [join(at.cwd, 'd'), elsewhere]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'old.txt'), 'old')
    }
    for (const file of [join(at.cwd, 'a.txt'), join(elsewhere, 'a.txt')]) writeFileSync(file, 'hello')
    const [asked] = ofKind(await runAgent(['--pause', 'Go'], at), 'APPROVAL_REQUESTED')
    const before = contentOf(join(elsewhere, target))
    renameSync(join(at.cwd, swapped), join(at.cwd, 'moved'))
    symlinkSync(swapped === 'd' ? elsewhere : join(elsewhere, swapped), join(at.cwd, swapped))
    const signed = await runAgent(['--pause', '--answer', asked?.approvalId ?? '', 'sign'], at)
    expect(contentOf(join(elsewhere, target))).toBe(before)
    const told = signed.stderr + JSON.stringify(ofKind(signed, 'TOOL_CALL_END').map(({ output, modelText }) => modelText ?? output))
    expect(told).toMatch(/has changed|changed since|leads|Nothing was applied/u)
  },
)

const contentOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)
