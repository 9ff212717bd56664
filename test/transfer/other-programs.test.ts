import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { linesOfFile } from '../../main/environment/files/user-chosen-file.ts'
import { importSession } from '../../main/transfer/import/import-session.ts'
import { previewOf, readTranscript } from '../../main/transfer/import/read-transcript.ts'
import { orNull } from '../../main/environment/environment-failure.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { openedInMemory } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

function written(path: string, ...lines: readonly unknown[]): string {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

async function imported(path: string) {
  const read = await readTranscript(path)
  if (!read.ok) throw new Error(read.failure.what)
  const store = await openedInMemory()
  const root = await importSession(read.value, { store, redactor: { text: (text) => text } })
  const stateOf = (id: SessionId): SessionState => foldAll(emptySession(id), store.log(id).read())
  const all = store.sessions.list().map(({ sessionId }) => stateOf(sessionId))
  return { preview: await previewOf(read.value), state: stateOf(root), all }
}

/** What the entries of a session say, in order. */
const words = ({ items }: SessionState): readonly string[] =>
  items.map((item) => {
    if (item.kind === 'call') return `${item.toolName}: ${item.output}`
    if (item.kind === 'notice') return `${item.trouble.code}: ${item.trouble.kept}`
    return 'text' in item ? String(item.text) : item.kind
  })

const user = (uuid: string, content: unknown, more: object = {}) => ({
  type: 'user',
  uuid,
  parentUuid: null,
  cwd: '/w',
  isSidechain: false,
  message: { role: 'user', content },
  ...more,
})
const answer = (uuid: string, part: object, more: object = {}) => ({
  type: 'assistant',
  uuid,
  parentUuid: null,
  isSidechain: false,
  ...more,
  message: { id: `m-${uuid}`, model: 'claude-x', content: [part] },
})
const used = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input })
const result = (uuid: string, id: string, content: unknown, more: object = {}) =>
  user(uuid, [{ type: 'tool_result', tool_use_id: id, content }], more)
const text = (words: string) => ({ type: 'text', text: words })

describe('Claude Code', () => {
  test('subagents with files of their own are imported under the calls that started them', async () => {
    const folder = tempFolder()
    const path = written(
      join(folder, 'c1.jsonl'),
      user('u1', 'Look around'),
      answer('a1', used('t1', 'Agent', { prompt: 'Find it' })),
      answer('a2', used('t2', 'Agent', { prompt: 'Count it' })),
      result('u2', 't1', [text('It is here.'), text('agentId: one')]),
      result('u3', 't2', 'Three.', { toolUseResult: { status: 'completed', agentId: 'two' } }),
      answer('a3', text('Done.')),
    )
    const own = join(folder, 'c1/subagents')
    const side = { isSidechain: true, agentId: 'whatever the line says' }
    written(
      join(own, 'agent-one.jsonl'),
      user('s1', 'Find it', side),
      answer('s2', used('n1', 'Agent', { prompt: 'Deeper' }), side),
      result('s3', 'n1', 'Found below.', side),
      answer('s4', text('It is here.'), { ...side, isSidechain: false }),
    )
    written(join(own, 'agent-two.jsonl'), user('s5', 'Count it', side), answer('s6', text('Three.'), side), { type: 'from-the-future' })
    written(join(own, 'agent-a-nested.jsonl'), user('s7', 'Deeper', side), answer('s8', text('Found below.'), side))
    written(join(own, 'agent-a-nested.meta.json'), { agentType: 'Explore', toolUseId: 'n1', spawnDepth: 2 })
    written(join(own, 'agent-lost.jsonl'), user('s9', 'Nobody called', side))
    written(join(own, 'agent-acompact-1.jsonl'), user('s10', 'A summary', side))
    symlinkSync(written(join(folder, 'elsewhere'), user('s11', 'Not a file of this session')), join(own, 'agent-link.jsonl'))

    const { preview, state, all } = await imported(path)
    expect(preview).toMatchObject({ messages: 1, answers: 3, calls: 2, subagents: 4, unknown: 1 })
    expect(words(state).slice(0, 4)).toEqual(['Look around', 'task: It is here.\nagentId: one', 'task: Three.', 'Done.'])
    const childOf = (prompt: string) => all.find((one) => words(one)[0] === prompt)
    const [first, second, nested, lost] = ['Find it', 'Count it', 'Deeper', 'Nobody called'].map(childOf)
    expect(first?.parent).toMatchObject({ sessionId: state.sessionId, toolCallId: 't1', depth: 1 })
    expect(second?.parent).toMatchObject({ sessionId: state.sessionId, toolCallId: 't2', depth: 1 })
    expect(nested?.parent).toMatchObject({ sessionId: first?.sessionId, toolCallId: 'n1', depth: 2, agentType: 'Explore' })
    expect(lost?.parent).toMatchObject({ sessionId: state.sessionId })
    expect(first && words(first).slice(0, 3)).toEqual(['Find it', 'task: Found below.', 'It is here.'])
    expect(all).toHaveLength(5)
  })

  test('a long output is read completely from the session’s own folder, and from nowhere else', async () => {
    const folder = tempFolder()
    const saved = join(folder, 'c/tool-results')
    const long = 'one line of the output\n'.repeat(5_000)
    const shown = (path: string) =>
      `<persisted-output>\nOutput too large (112.3KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nbeginning\n...\n</persisted-output>`
    const at = (name: string) => shown(`/home/other/.claude/projects/-w/c/tool-results/${name}`)
    const outputs = [
      at('toolu_1.txt'),
      [text(shown('C:\\Users\\o\\.claude\\projects\\w\\c\\tool-results\\toolu_2.txt'))],
      at('missing.txt'),
      at('link.txt'),
      at('../../secret.txt'),
      `A text about ${at('toolu_1.txt')}`,
    ]
    const path = written(
      join(folder, 'c.jsonl'),
      user('u0', 'Go'),
      ...outputs.map((_, index) => answer(`a${index}`, used(`t${index}`, 'Bash', { command: 'seq' }))),
      ...outputs.map((output, index) => result(`r${index}`, `t${index}`, output)),
    )
    mkdirSync(saved, { recursive: true })
    writeFileSync(join(saved, 'toolu_1.txt'), long)
    writeFileSync(join(saved, 'toolu_2.txt'), 'short')
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    symlinkSync(join(folder, 'secret.txt'), join(saved, 'link.txt'))

    const { state } = await imported(path)
    const [first, ...others] = state.items.flatMap((item) => (item.kind === 'call' ? [item] : []))
    expect(first?.outputBlob).toMatchObject({ bytes: long.length })
    expect(others.map(({ output }) => output)).toEqual(['short', at('missing.txt'), at('link.txt'), at('../../secret.txt'), outputs.at(-1)])
  })

  test('a long output is not read if its folder is a link', async () => {
    const folder = tempFolder()
    const shown = '<persisted-output>\nOutput too large. Full output saved to: /c/tool-results/t.txt\n</persisted-output>'
    const call = answer('a1', used('t1', 'Bash', { command: 'seq' }))
    const path = written(join(folder, 'c.jsonl'), user('u1', 'Go'), call, result('u2', 't1', shown))
    mkdirSync(join(folder, 'elsewhere/tool-results'), { recursive: true })
    writeFileSync(join(folder, 'elsewhere/tool-results/t.txt'), 'secret')
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'c'))
    expect((await imported(path)).state.items).toContainEqual(expect.objectContaining({ kind: 'call', output: shown }))
  })

  test('notes of the program and a summary of the conversation become entries, and internal lines are only counted', async () => {
    const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info' }
    const path = written(
      join(tempFolder(), 'c.jsonl'),
      user('u1', 'Go'),
      answer('a1', text('I went.')),
      { ...boundary, uuid: 'b1', parentUuid: null, logicalParentUuid: 'a1' },
      user('u2', 'This session continues an earlier one.', { isCompactSummary: true }),
      { type: 'system', subtype: 'turn_duration', durationMs: 5 },
      { type: 'attachment', uuid: 'x1', attachment: { type: 'todo_reminder' } },
      user('u3', 'Further'),
      answer('a2', text('I went further.')),
    )
    const { preview, state } = await imported(path)
    expect(preview).toMatchObject({ messages: 2, unknown: 0, leftOut: [{ why: 'Internal notes of the program', lines: 2 }] })
    expect(words(state).slice(0, -1)).toEqual([
      'Go',
      'I went.',
      'imported_note: Conversation compacted',
      'imported_note: This session continues an earlier one.',
      'Further',
      'I went further.',
    ])
  })
})

describe('Codex', () => {
  const lines = [
    { type: 'session_meta', payload: { id: 'x', cwd: '/w' } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go – ü' }] } },
    { type: 'compacted', payload: { message: 'We went.' } },
    { type: 'event_msg', payload: { type: 'context_compacted' } },
    { type: 'response_item', payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Gone.' }] } },
  ]

  test('a compressed rollout is read, and its summary becomes an entry', async () => {
    const path = join(tempFolder(), 'rollout.jsonl.zst')
    writeFileSync(path, zstdCompressSync(lines.map((line) => JSON.stringify(line)).join('\n')))
    const { preview, state } = await imported(path)
    expect(preview).toMatchObject({ source: 'codex', title: 'Go – ü', unknown: 0 })
    expect(words(state).slice(0, -1)).toEqual(['Go – ü', 'imported_note: We went.', 'Gone.'])
  })

  test.each(['rollout.jsonl', 'rollout.jsonl.zst'])('characters that end a line in other formats stay in a message of %s', async (name) => {
    const path = join(tempFolder(), name)
    const said = 'One\u2028two\u2029three'
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line).replace('Go – ü', said)}\r\n`).join(''))
    writeFileSync(path, name.endsWith('.zst') ? zstdCompressSync(bytes) : bytes)
    const { preview, state } = await imported(path)
    expect(preview.unknown).toBe(0)
    expect(words(state)[0]).toBe(said)
  })

  test.runIf(process.platform === 'linux').each(['long.jsonl', 'long.jsonl.zst'])(
    '%s is closed when its reader stops early',
    async (name) => {
      const path = join(tempFolder(), name)
      const bytes = Buffer.from('{}\n'.repeat(200_000))
      writeFileSync(path, name.endsWith('.zst') ? zstdCompressSync(bytes) : bytes)
      const read = await linesOfFile(path, 2 * 1024 * 1024)
      if (!read.ok) throw new Error(read.failure)
      for await (const line of read.value) if (line === '{}') break
      const isOpen = () => readdirSync('/proc/self/fd').some((one) => orNull(() => readlinkSync(join('/proc/self/fd', one))) === path)
      await expect.poll(isOpen).toBe(false)
    },
  )

  test('a file that is damaged or whose text is too long is refused with a reason', async () => {
    const path = join(tempFolder(), 'rollout.jsonl.zst')
    const bytes = zstdCompressSync(JSON.stringify(lines[0]))
    writeFileSync(path, bytes.subarray(0, bytes.length - 8))
    expect(await readTranscript(path)).toMatchObject({ ok: false, failure: { code: 'transcript_not_read' } })
    writeFileSync(path, zstdCompressSync(Buffer.alloc(3 * 1024 * 1024, 'x')))
    const read = await linesOfFile(path, 2 * 1024 * 1024)
    const reading = (async () => {
      if (read.ok) for await (const line of read.value) expect(line).toBe('')
    })()
    await expect(reading).rejects.toThrow('larger than 2 MB')
  })
})
