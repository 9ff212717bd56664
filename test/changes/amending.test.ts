import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createAmending } from '../../main/changes/amending.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import type { Amendment } from '../../shared/session/amendment.ts'
import type { Effect } from '../../shared/session/effects.ts'
import { commandEffect } from '../support/effects.ts'

const blobs = new Map<BlobHash, Uint8Array>()
const put = (bytes: Uint8Array): BlobHash => {
  const hash = BlobHash.parse(createHash('sha256').update(bytes).digest('hex'))
  blobs.set(hash, bytes)
  return hash
}
const get = (hash: BlobHash): Uint8Array => {
  const bytes = blobs.get(hash)
  if (!bytes) throw new Error(`There is no blob ${hash}.`)
  return bytes
}
const { amend } = createAmending({ get, put })

const at = (name: string) => ({ path: `/ws/${name}`, shown: name, outside: false, control: false })
const edit = (name: string): Effect => ({
  kind: 'write',
  ...at(name),
  before: put(Buffer.from('old\n')),
  after: put(Buffer.from('new\n')),
  beforeBytes: 4,
  afterBytes: 4,
  lines: { added: 1, removed: 1 },
})
const mode = (name: string): Effect => ({ kind: 'permissions', ...at(name), before: 0o644, after: 0o755 })
const command: Effect = commandEffect('x', { sandbox: 'copy' })
const decided = (name: string, kind: 'accept' | 'reject'): Amendment => ({
  kind: 'hunks',
  path: `/ws/${name}`,
  hunks: [{ before: [0, 1], after: [0, 1], decision: { kind } }],
})
const left = (amendments: readonly Amendment[]) => {
  const amended = amend([command, edit('a.sh'), mode('a.sh'), edit('b.txt')], amendments)
  return amended.ok ? amended.value.effects.map((effect) => [effect.kind, 'path' in effect ? effect.shown : null]) : amended.failure
}

it('a file’s new permissions are dropped only if all its hunks are rejected', () => {
  expect(left([decided('a.sh', 'reject')])).toEqual([
    ['command', null],
    ['write', 'b.txt'],
  ])
  expect(left([decided('a.sh', 'accept'), decided('b.txt', 'reject')])).toEqual([
    ['command', null],
    ['write', 'a.sh'],
    ['permissions', 'a.sh'],
  ])
})

it('a request cannot be signed if all hunks are rejected, even with new permissions', () => {
  expect(left([decided('a.sh', 'reject'), decided('b.txt', 'reject')])).toBe('Nothing is left to sign. Refuse the request instead.')
})

const gone = (name: string): Effect => ({ kind: 'delete', ...at(name), before: put(Buffer.from('old\n')), beforeBytes: 4 })
const goneFolder = (name: string): Effect => ({ kind: 'folder', ...at(name), change: 'deleted' })
const goneLink = (name: string): Effect => ({ kind: 'link', ...at(name), before: 'elsewhere', after: null })
const made = (name: string): Effect => ({
  kind: 'write',
  ...at(name),
  before: null,
  after: put(Buffer.from('new\n')),
  beforeBytes: 0,
  afterBytes: 4,
  lines: null,
})

it.each<[string, readonly Effect[], string, string]>([
  ['a file in place of a folder in which something remains', [goneFolder('d'), gone('d/x'), gone('d/y'), made('d')], 'd/y', 'd'],
  ['a file below a path at which a file remains', [gone('d'), made('d/x'), made('e')], 'd', 'd/x'],
  ['a file below a path at which a link remains', [goneLink('d'), made('d/x')], 'd', 'd/x'],
])('%s cannot be signed', (_, effects, leave, named) => {
  const amended = amend([command, ...effects], [{ kind: 'leave', path: `/ws/${leave}` }])
  expect(amended).toMatchObject({ ok: false, failure: expect.stringContaining(`${named} can only be created if d is deleted.`) })
})

it('a new file can be signed while the deletion of another file is left out', () => {
  const amended = amend([command, goneFolder('d'), gone('d/x'), made('e/x')], [{ kind: 'leave', path: '/ws/d/x' }])
  expect(amended).toMatchObject({ ok: true, value: { effects: [{ kind: 'command' }, { shown: 'e/x' }] } })
})
