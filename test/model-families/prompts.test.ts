import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { meantTools, verbOf } from '../../shared/tools/catalogue.ts'
import { createTools } from '../../main/tools/create-tools.ts'
import { countChangedLinesInSlices } from '../../main/changes/count-changed-lines.ts'
import { promptDumps } from '../support/prompts/dump.ts'
import { type FirstRequest, firstRequests, leanRequest, PROVIDERS } from '../support/prompts/first-requests.ts'

const FOLDER = join(import.meta.dirname, '../../docs/prompts')

/** Every name of our tools in any model family, except names that could also be ordinary words. */
const NAMES = [
  ...createTools({ countLines: countChangedLinesInSlices }).flatMap(({ definition, otherNames = [] }) => [definition.name, ...otherNames]),
  'spawn_agent',
  'send_input',
  'close_agent',
].filter((name) => name.includes('_'))

const offeredNames = ({ tools }: FirstRequest): readonly string[] => tools.map(({ name }) => name)

function namedIn(text: string): readonly string[] {
  return NAMES.filter((name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`, 'u').test(text))
}

test('docs/prompts matches the current prompts (update with `npm run prompts`)', () => {
  const written = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]))
  expect(written).toEqual(promptDumps())
})

describe.each(PROVIDERS)('%s', (provider) => {
  test.each(firstRequests(provider).map((request) => [request.name, request] as const))(
    '%s: the prompt names only offered tools, and explains each of them once',
    (_, request) => {
      const offered = offeredNames(request)
      expect(new Set(offered).size).toBe(offered.length)
      const told = [request.system, request.message, ...request.tools.map((tool) => JSON.stringify(tool))]
      expect(told.flatMap(namedIn).filter((name) => !offered.includes(name))).toEqual([])
      const lines = [...request.system.matchAll(/^- ([a-z_]+): /gmu)].map(([, name]) => name)
      expect(lines).toEqual(offered)
      for (const { description } of request.tools) expect(description).toMatch(/^[A-Z].*[.:]/u)
    },
  )

  test('a call by an offered name reaches its tool, and the log has the canonical name', () => {
    for (const { tools, registry } of firstRequests(provider)) {
      const canonical = tools.map(({ name }) => registry.get(name)?.definition.name ?? '')
      expect(canonical).toEqual(registry.list().map(({ definition }) => definition.name))
      for (const name of canonical) expect([name, verbOf(name)]).not.toEqual([name, name])
    }
  })

  test('error messages for wrong arguments name only offered tools', () => {
    const [request] = firstRequests(provider)
    if (!request) throw new Error('no request')
    for (const tool of request.registry.list()) {
      const failures = [null, {}, { append: true, exclude: 'x', dry_run: true, pages: '1', restart: true, offset: 'x', resume: 'y' }]
        .map((args) => tool.validate(args))
        .flatMap((valid) => (valid.ok ? [] : [String(valid.failure)]))
      expect(failures.flatMap(namedIn).filter((name) => !offeredNames(request).includes(name))).toEqual([])
    }
  })
})

test('texts in the tools’ source name only tools that every family has', () => {
  const lacking = ['edit_file', 'multi_edit', 'apply_patch', 'delete_file', 'list_dir', 'read_many_files', 'notebook_read', 'notebook_edit']
  const found = sources(join(import.meta.dirname, '../../main/tools')).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:'[^'\n]*'|`[^`]*`)/gu)]
      .map(([text]) => text)
      .filter((text) => / /u.test(text) && lacking.some((name) => new RegExp(String.raw`\b${name}\b`, 'u').test(text)))
      .map((text) => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name.endsWith('.ts') ? [join(entry.parentPath, entry.name)] : [],
  )
}

test.each([
  ['Gemini', 'gemini', { replace: 'edit_file', run_shell_command: 'shell', list_directory: 'list_dir' }],
  ['any model', 'openai', { Read: 'read_file', exec_command: 'shell', view_image: 'read_file' }],
] as const)('%s calls tools by its own names', (_, provider, names) => {
  const [request] = firstRequests(provider)
  for (const [name, canonical] of Object.entries(names)) {
    expect(request?.registry.get(name)?.definition.name).toBe(canonical)
    expect(meantTools(name)).toContain(canonical)
  }
})

test('line numbers start at 0 for Gemini and at 1 for every other family', () => {
  const tool = (provider: (typeof PROVIDERS)[number]) => firstRequests(provider)[0]?.registry.get('read_file')
  const read = (provider: (typeof PROVIDERS)[number], args: object) => tool(provider)?.validate(args)
  expect(read('gemini', { path: 'a', offset: 0, limit: 5 })).toEqual({ ok: true, value: { file_path: 'a', offset: 1, limit: 5 } })
  expect(read('gemini', { file_path: 'a', offset: 9 })).toEqual({ ok: true, value: { file_path: 'a', offset: 10 } })
  expect(read('openai', { file_path: 'a', offset: 9 })).toEqual({ ok: true, value: { file_path: 'a', offset: 9 } })
  const offered = firstRequests('gemini')[0]?.tools.find(({ name }) => name === 'read_file')
  expect(offered?.parameters).toMatchObject({ required: ['path'], properties: { path: {}, offset: { minimum: 0 } } })
  expect(tool('gemini')?.canonicalArguments?.({ path: 'a', offset: 0 })).toEqual({ file_path: 'a', offset: 1 })
  expect(read('gemini', { offset: 0 })).toMatchObject({
    failure: { forModel: expect.stringMatching(/^path is missing/u) },
    advice: expect.stringMatching(/^It takes path, /u),
  })
})

/** Estimates tokens: one token is about four characters of English or JSON. */
const tokensOf = ({ system, tools }: FirstRequest): number => (system.length + JSON.stringify(tools).length) / 4

test.each(PROVIDERS)('%s: a small window gets six tools under the family’s names in fewer than 2,500 tokens', (provider) => {
  const lean = leanRequest(provider)
  expect(lean.tools).toHaveLength(6)
  expect(tokensOf(lean)).toBeLessThan(2500)
  expect(offeredNames(lean).includes('replace')).toBe(provider === 'gemini')
  for (const { description } of lean.tools) expect(description).not.toMatch(/[.] /u)
})

test.each(PROVIDERS)('%s: no request is longer than 9,000 tokens, and no sentence is in a prompt twice', (provider) => {
  for (const request of firstRequests(provider)) {
    expect(tokensOf(request)).toBeLessThan(9000)
    const sentences = request.system.split(/(?<=[.:])\s+/u).filter((sentence) => sentence.length > 40)
    expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([])
  }
})

test.each(PROVIDERS)('%s: no subagent’s prompt says to ask or tell the developer something', (provider) => {
  for (const { name, system, message } of firstRequests(provider).filter((request) => request.name.startsWith('subagent')))
    expect([
      name,
      ...`${system}\n${message}`.matchAll(
        /[^.\n]*(?:\band ask\b|, ask\b|\b(?:ask|tell) the developer|developer (?:asks|confirms))[^.\n]*/gu,
      ),
    ]).toEqual([name])
})
