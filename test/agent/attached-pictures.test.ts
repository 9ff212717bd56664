import { Buffer } from 'node:buffer'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../main/agent/compaction/estimate-tokens.ts'
import { pinnedMessages } from '../../main/agent/compaction/summary.ts'
import { createOmittedPictures } from '../../main/agent/pictures/omitted-pictures.ts'
import { createPictureLimit } from '../../main/agent/pictures/picture-limit.ts'
import { createPictureResolver } from '../../main/agent/pictures/resolve-pictures.ts'
import { createPictures } from '../../main/sessions/attached-pictures.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import { MAX_PICTURE_BYTES, MAX_PICTURES, type Picture } from '../../shared/session/content.ts'
import { call, calls, gate, say } from '../support/scripted-model.ts'
import { GIF, JPEG, png, WEBP } from '../support/small-pictures.ts'
import { failing, only, rigFor, type Scripted } from './support/scripted-rig.ts'

const RED = png(2, 2, [255, 0, 0])
const BLUE = png(2, 2, [0, 0, 255])

function kept({ rig }: Scripted, bytes: Uint8Array): Picture {
  const picture = createPictures(rig.store.blobs).keep(bytes)
  if (!picture.ok) throw new Error(picture.failure.what)
  return picture.value
}
const imageOf = (bytes: Buffer) => ({ kind: 'image', mediaType: 'image/png', data: bytes.toString('base64') })
const LEFT_OUT = {
  kind: 'text',
  text: '[A picture was left out here, because it cannot be shown to you, or can no longer be shown to you.]',
}

describe('a picture that a user attaches', () => {
  test('is logged only as a hash, and sent byte for byte before the text', async () => {
    const made = await rigFor([calls(call('glob', { pattern: '*' })), say('Red.')])
    const picture = kept(made, RED)
    made.rig.session.submit({ text: 'What colour?', pictures: [picture] })
    await made.rig.session.idle()
    expect(only(made.rig, 'USER_INPUT')).toMatchObject([{ text: 'What colour?', pictures: [picture] }])
    expect(JSON.stringify(made.rig.events())).not.toContain(RED.toString('base64'))
    const [first, second] = made.provider.requests
    expect(first?.turns[0]).toEqual({ kind: 'user', content: [imageOf(RED), { kind: 'text', text: 'What colour?' }] })
    expect(second?.turns[0]).toBe(first?.turns[0])
  })

  test('can be sent without text, and the session is then titled “A picture”', async () => {
    const made = await rigFor([say('A red one.')])
    made.rig.session.submit({ text: '', pictures: [kept(made, RED)] })
    await made.rig.session.idle()
    expect(made.provider.requests[0]?.turns).toEqual([{ kind: 'user', content: [imageOf(RED)] }])
    expect(made.rig.replay().title).toBe('A picture')
  })

  test('survives a restart: the next request repeats it exactly, and the ledger shows it without network access', async () => {
    const made = await rigFor([say('Red.'), say('Still red.')])
    const picture = kept(made, RED)
    made.rig.session.submit({ text: 'Look', pictures: [picture] })
    await made.rig.session.idle()
    await made.rig.session.suspend()
    const next = await made.rig.takeOver()
    next.submit('And now?')
    await next.idle()
    expect(made.provider.requests[1]?.turns[0]).toEqual(made.provider.requests[0]?.turns[0])
    expect(made.rig.replay().items[0]).toMatchObject({ kind: 'user', text: 'Look', pictures: [picture] })
    expect(createPictures(made.rig.store.blobs).read(picture.hash)).toEqual({ mediaType: 'image/png', data: RED.toString('base64') })
  })

  test('can be sent to steer a running turn, or be queued and reordered', async () => {
    const open = gate()
    const answers = [calls(call('glob', { pattern: '*' })), say('Seen.'), say('Blue.'), say('Both.')]
    const made = await rigFor(async (_, index) => {
      if (index === 0) await open.opened
      return answers[index] ?? say('')
    })
    const { rig, provider } = made
    const red = kept(made, RED)
    const blue = kept(made, BLUE)
    rig.session.submit('Go')
    rig.session.send({ inputId: 's', text: 'this one', pictures: [red], delivery: 'steer' })
    rig.session.send({ inputId: 'q1', text: 'first', delivery: 'queue' })
    rig.session.send({ inputId: 'q2', text: 'second', pictures: [blue], delivery: 'queue' })
    rig.session.arrange(['s', 'q2', 'q1'])
    expect(rig.session.state().queue.map(({ inputId, pictures }) => [inputId, pictures])).toEqual([
      ['s', [red]],
      ['q2', [blue]],
      ['q1', undefined],
    ])
    open.open()
    await rig.session.idle()
    const turns = provider.requests.at(-1)?.turns ?? []
    expect(turns.filter(({ kind }) => kind === 'steering')).toEqual([
      { kind: 'steering', content: [imageOf(RED), { kind: 'text', text: 'this one' }] },
    ])
    expect(turns.filter(({ kind }) => kind === 'user').slice(1)).toEqual([
      { kind: 'user', content: [imageOf(BLUE), { kind: 'text', text: 'second' }] },
      { kind: 'user', content: 'first' },
    ])
  })

  test('does not affect turns without pictures, which are passed on unchanged', async () => {
    const turns = [{ kind: 'user', content: 'Go' } as const]
    const shown = createPictureResolver((await rigFor([])).rig.store.blobs)
    expect(shown(turns, { provider: 'anthropic', model: 'm' }, createOmittedPictures())).toBe(turns)
  })

  test('counts toward the context of the next request', () => {
    const picture: Picture = { kind: 'picture', mediaType: 'image/png', hash: 'a'.repeat(64) as BlobHash, bytes: 9 }
    expect(estimateTokens([{ kind: 'user', content: [picture, picture, { kind: 'text', text: 'four' }] }])).toBe(3_201)
  })

  test('leaves a placeholder in the messages that a compaction keeps', () => {
    const picture: Picture = { kind: 'picture', mediaType: 'image/png', hash: 'a'.repeat(64) as BlobHash, bytes: 9 }
    expect(pinnedMessages([{ kind: 'user', content: [picture, { kind: 'text', text: 'Like this' }] }])).toEqual({
      texts: ['[a picture]\nLike this'],
      leftOut: 0,
    })
  })

  test('is replaced by a note if its bytes are missing, and the conversation continues', async () => {
    const made = await rigFor([say('I see none.')])
    const lost: Picture = { ...kept(made, RED), hash: 'f'.repeat(64) as BlobHash }
    made.rig.session.submit({ text: 'Look', pictures: [lost] })
    expect((await made.rig.session.idle()).ended).toBe('completed')
    expect(made.provider.requests[0]?.turns[0]).toEqual({
      kind: 'user',
      content: [
        { kind: 'text', text: '[A picture was given here. It can no longer be read.]' },
        { kind: 'text', text: 'Look' },
      ],
    })
  })
})

describe('a model that does not accept pictures', () => {
  const refusal = failing({ code: 'invalid_request', cause: 'pictures', message: 'This model does not support image input.' })

  test('gets a note in place of the pictures once its service has refused them, and the user is warned', async () => {
    const made = await rigFor([refusal, say('I cannot see it.'), say('As I said.')])
    const { rig, provider } = made
    rig.session.submit({ text: 'Look', pictures: [kept(made, RED)] })
    expect((await rig.session.idle()).ended).toBe('completed')
    rig.session.submit('Sure?')
    await rig.session.idle()
    const asked = { kind: 'user', content: [LEFT_OUT, { kind: 'text', text: 'Look' }] }
    expect(provider.requests.map(({ turns }) => turns[0])).toEqual([
      { kind: 'user', content: [imageOf(RED), { kind: 'text', text: 'Look' }] },
      asked,
      asked,
    ])
    expect(only(rig, 'WARNING')).toEqual([
      {
        kind: 'WARNING',
        trouble: {
          code: 'pictures_left_out',
          what: 'scripted was not sent the pictures: This model does not support image input.',
          kept: 'The pictures stay in the ledger. The model gets a note that they were left out.',
          todo: 'Choose a model that accepts pictures, or describe the pictures in words.',
        },
      },
    ])
  })

  test('does not affect other models, and is tried again with a new picture', async () => {
    const made = await rigFor([refusal, say('No.'), say('Red.'), refusal, say('No.')])
    const { rig, provider } = made
    rig.session.submit({ text: 'Look', pictures: [kept(made, RED)] })
    await rig.session.idle()
    rig.session.configure({ model: 'other' })
    rig.session.submit('And you?')
    await rig.session.idle()
    expect(provider.requests[2]?.turns[0]).toEqual(provider.requests[0]?.turns[0])
    rig.session.configure({ model: 'scripted' })
    rig.session.submit({ text: 'This?', pictures: [kept(made, BLUE)] })
    await rig.session.idle()
    expect(provider.requests[3]?.turns[0]).toEqual(provider.requests[1]?.turns[0])
    expect(provider.requests[3]?.turns.at(-1)).toEqual({ kind: 'user', content: [imageOf(BLUE), { kind: 'text', text: 'This?' }] })
    expect(provider.requests[4]?.turns.at(-1)).toEqual({ kind: 'user', content: [LEFT_OUT, { kind: 'text', text: 'This?' }] })
  })

  test('also gets a note in place of a tool’s picture', async () => {
    const made = await rigFor([calls(call('read_file', { file_path: 'a.png' })), refusal, say('I see nothing.')])
    await writeFile(join(made.rig.folder, 'a.png'), RED)
    made.rig.session.submit('Look')
    expect((await made.rig.session.idle()).ended).toBe('completed')
    const [, refused, again] = made.provider.requests.map(({ turns }) => JSON.stringify(turns.at(-1)))
    expect(refused).toContain(RED.toString('base64'))
    expect(again).not.toContain(RED.toString('base64'))
    expect(again).toContain(LEFT_OUT.text)
  })

  test('a picture error ends the turn without a retry if the request had no pictures', async () => {
    const made = await rigFor([refusal])
    made.rig.session.submit('Look')
    expect((await made.rig.session.idle()).ended).toBe('error')
    expect(made.provider.requests).toHaveLength(1)
  })
})

describe('more pictures than a request accepts', () => {
  const LIMIT = 20
  const many = (made: Scripted, from: number, count: number): readonly Picture[] =>
    Array.from({ length: count }, (_, index) => kept(made, png(1, 1, [from + index, 1, 1])))
  const shownIn = ({ provider }: Scripted, index: number): readonly unknown[] =>
    (provider.requests[index]?.turns ?? []).flatMap((turn) =>
      turn.kind === 'user' && typeof turn.content !== 'string' ? turn.content.map(({ kind }) => kind) : [],
    )
  const images = (made: Scripted, index: number): number => shownIn(made, index).filter((kind) => kind === 'image').length

  test('the oldest half is left out for good, and the user is warned once', async () => {
    const made = await rigFor([say('1'), say('2'), say('3'), say('4')])
    const { rig, provider } = made
    rig.session.submit({ text: 'These', pictures: many(made, 0, LIMIT) })
    await rig.session.idle()
    const last = many(made, 100, 1)
    rig.session.submit({ text: 'And this', pictures: last })
    await rig.session.idle()
    rig.session.submit('What next?')
    await rig.session.idle()
    expect([images(made, 0), images(made, 1), images(made, 2)]).toEqual([LIMIT, LIMIT / 2, LIMIT / 2])
    expect(provider.requests[1]?.turns.at(-1)).toMatchObject({ content: [{ kind: 'image' }, { kind: 'text', text: 'And this' }] })
    expect(provider.requests[2]?.turns[0]).toBe(provider.requests[1]?.turns[0])
    expect(only(rig, 'WARNING').map(({ trouble }) => trouble.code)).toEqual(['older_pictures_left_out'])
    await rig.session.suspend()
    const next = await rig.takeOver()
    next.submit('And now?')
    await next.idle()
    expect(provider.requests[3]?.turns[0]).toEqual(provider.requests[2]?.turns[0])
  })

  test('a picture that is attached again is sent again', async () => {
    const made = await rigFor([say('1'), say('2'), say('3')])
    const all = many(made, 0, LIMIT + 1)
    made.rig.session.submit({ text: 'These', pictures: all.slice(0, LIMIT) })
    await made.rig.session.idle()
    made.rig.session.submit({ text: 'More', pictures: all.slice(LIMIT) })
    await made.rig.session.idle()
    made.rig.session.submit({ text: 'This again', pictures: all.slice(0, 1) })
    await made.rig.session.idle()
    expect(made.provider.requests[2]?.turns.at(-1)).toMatchObject({ content: [{ kind: 'image' }, { kind: 'text' }] })
  })

  test('the total size of the pictures in a request is limited, too', () => {
    const room = createPictureLimit()
    for (const name of ['a', 'b', 'c']) room.add(name, 5_000_000)
    expect(room.isFull()).toBe(false)
    room.add('d', 5_000_000)
    expect(room.isFull()).toBe(true)
    room.makeRoom()
    expect(['a', 'b', 'c', 'd'].filter(room.isOut)).toEqual(['a', 'b', 'c'])
  })
})

describe('an accepted picture', () => {
  test('is recognized by its bytes, not by its name: PNG, JPEG, GIF, WebP', async () => {
    const pictures = createPictures((await rigFor([])).rig.store.blobs)
    const types = [RED, JPEG, GIF, WEBP].map((bytes) => {
      const taken = pictures.keep(bytes)
      return taken.ok && taken.value.mediaType
    })
    expect(types).toEqual(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    expect(pictures.keep(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({
      ok: false,
      failure: { code: 'no_picture' },
    })
  })

  test('is small enough in bytes for every service', async () => {
    const { blobs } = (await rigFor([])).rig.store
    const pictures = createPictures(blobs)
    const largest = Buffer.concat([RED, Buffer.alloc(MAX_PICTURE_BYTES - RED.length)])
    expect(pictures.keep(largest)).toMatchObject({ ok: true })
    expect(pictures.keep(Buffer.concat([largest, Buffer.alloc(1)]))).toMatchObject({
      ok: false,
      failure: { code: 'picture_too_large', what: 'The picture is 3.76 MB, but models accept at most 3.75 MB.' },
    })
  })

  test('has few enough pixels per side for every service', async () => {
    const { blobs } = (await rigFor([])).rig.store
    const pictures = createPictures(blobs)
    expect(pictures.keep(png(8000, 1, [1, 2, 3]))).toMatchObject({ ok: true })
    expect(pictures.keep(png(1, 8001, [1, 2, 3]))).toEqual({
      ok: false,
      failure: {
        code: 'picture_too_large',
        what: 'The picture is 1 by 8001 pixels, but models accept at most 8000 by 8000.',
        kept: 'The rest of the message is kept.',
        todo: 'Make it smaller, or crop it to the part that matters.',
      },
    })
  })

  test('a message is refused if it refers to a missing picture, to another kind of blob, or to too many pictures', async () => {
    const { blobs } = (await rigFor([])).rig.store
    const pictures = createPictures(blobs)
    const secret = blobs.put(Buffer.from('text of a file'))
    expect(pictures.find([secret])).toMatchObject({ ok: false, failure: { code: 'picture_gone' } })
    expect(pictures.read(secret)).toBeNull()
    expect(pictures.find(['e'.repeat(64) as BlobHash])).toMatchObject({ ok: false, failure: { code: 'picture_gone' } })
    const many = Array.from({ length: MAX_PICTURES + 1 }, (_, index) => blobs.put(png(1, 1, [index, 0, 0])))
    expect(pictures.find(many)).toMatchObject({ ok: false, failure: { code: 'too_many_pictures' } })
    expect(pictures.find(many.slice(1))).toMatchObject({ ok: true })
  })
})
