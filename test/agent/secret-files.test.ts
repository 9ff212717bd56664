import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { edit, only, read, resultsOf, rigFor } from './support/scripted-rig.ts'

/** Runs one call in a folder with files that may hold secrets. Nobody answers requests. */
async function asked(one: ReturnType<typeof read>, mode: ApprovalMode) {
  const { rig, provider } = await rigFor([calls(one), say('Done.')], { mode })
  await mkdir(join(rig.folder, 'keys'))
  await writeFile(join(rig.folder, '.env'), 'X=HIDDEN-1\n')
  await writeFile(join(rig.folder, 'keys/id_rsa'), 'HIDDEN-2\n')
  await writeFile(join(rig.folder, 'a.txt'), 'HIDDEN or not\n')
  await symlink('.env', join(rig.folder, 'link.txt'))
  rig.session.submit('go')
  await expect.poll(() => rig.session.record.state().run).not.toBe('PROCESSING')
  const requests = only(rig, 'APPROVAL_REQUESTED').map(({ reason }) => reason)
  return { requests, shown: provider.requests[1] ? JSON.stringify(resultsOf(provider.requests[1])) : null }
}

describe('files that may hold secrets', () => {
  it.each([
    ['read_file', read('.env')],
    ['read_file through a link', read('link.txt')],
    ['read_many_files', call('read_many_files', { paths: ['a.txt', '.env'] })],
    ['grep in the file', call('grep', { pattern: 'HIDDEN', path: '.env' })],
    ['notebook_read', call('notebook_read', { file_path: '.env' })],
  ])('are read with %s only once the user has signed', async (_, one) => {
    expect(await asked(one, 'auto')).toEqual({ requests: ['.env may hold secrets, so reading it needs your signature.'], shown: null })
  })

  it.each([
    ['edit_file', edit('.env', 'X=HIDDEN-9', 'X=2')],
    ['multi_edit', call('multi_edit', { edits: [{ file_path: '.env', old_string: 'X=HIDDEN-9', new_string: 'X=2' }] })],
    ['apply_patch', call('apply_patch', { patch: '*** Begin Patch\n*** Update File: .env\n@@\n-X=HIDDEN-9\n+X=2\n*** End Patch' })],
  ])('are not quoted by %s that does not match', async (_, one) => {
    const { requests, shown } = await asked(one, 'auto')
    expect([requests, shown]).toEqual([[], expect.stringContaining('.env may hold secrets and you have not read it.')])
    expect(shown).not.toContain('HIDDEN-1')
  })

  it('are read without a signature in full mode, where commands can read them too', async () => {
    expect(await asked(read('.env'), 'full')).toEqual({ requests: [], shown: expect.stringContaining('HIDDEN-1') as string })
  })

  it.each([
    ['a search', call('grep', { pattern: 'HIDDEN' }), 'Matches in .env, keys/id_rsa are not shown'],
    [
      'a search that lists files',
      call('grep', { pattern: 'HIDDEN', output_mode: 'files_with_matches' }),
      'Matches in .env, keys/id_rsa are not shown',
    ],
    [
      'read_many_files with a pattern',
      call('read_many_files', { paths: ['**/*'] }),
      'Not read, because they may hold secrets: .env, keys/id_rsa',
    ],
  ])('are left out of %s, which names them', async (_, one, words) => {
    const { requests, shown } = await asked(one, 'auto')
    expect([requests, shown]).toEqual([[], expect.stringContaining(words)])
    expect(shown).toContain('a.txt')
    expect(shown).not.toMatch(/HIDDEN-\d/u)
  })
})
