import { Buffer } from 'node:buffer'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkbench, textOf, type Workbench } from '../workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
  mkdirSync(join(bench.root, 'old/deep'), { recursive: true })
})
afterEach(() => bench.dispose())

const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(bench.root, name), content)
const bytesOf = (name: string): Buffer => readFileSync(join(bench.root, name))
const UTF16LE = Buffer.from('é\n', 'utf16le')

test.each<[string, string, Uint8Array]>([
  ['latin1', 'a.txt', Buffer.from('é\n', 'latin1')],
  ['utf-8', 'a.txt', Buffer.from('é\n')],
  ['utf-8-bom', 'a.txt', Buffer.from('\ufeffé\n')],
  ['utf-16le', 'old/deep/a.txt', Buffer.concat([Buffer.of(0xff, 0xfe), UTF16LE])],
  ['UTF-16BE', 'old/a.txt', Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(UTF16LE).swap16()])],
  ['unheard-of', 'a.txt', Buffer.from('é\n')],
])('a new file is written in the charset %s of .editorconfig, by each tool', async (charset, name, expected) => {
  put('.editorconfig', `root = true\n\n[*.{txt,md}]\ncharset = ${charset}\n[*.ts]\ncharset = utf-16be\n`)
  expect((await bench.call('write_file', { file_path: name, content: 'é\n' })).isError).toBe(false)
  const patched = name.replace('a.txt', 'b.md')
  await bench.call('apply_patch', { patch: `*** Begin Patch\n*** Add File: ${patched}\n+é\n*** End Patch` })
  const edited = name.replace('a.txt', 'c.md')
  await bench.call('edit_file', { file_path: edited, old_string: '', new_string: 'é\n' })
  expect([name, patched, edited].map((one) => bytesOf(one))).toEqual([expected, expected, expected].map((one) => Buffer.from(one)))
})

test('the nearest .editorconfig decides, and one that is a root ends the search', async () => {
  put('.editorconfig', '[*]\ncharset = utf-8-bom\n')
  put('old/.editorconfig', 'root = true\n[deep/*.txt]\ncharset = latin1\n')
  for (const name of ['a.txt', 'old/a.txt', 'old/deep/a.txt']) await bench.call('write_file', { file_path: name, content: 'é' })
  expect(['a.txt', 'old/a.txt', 'old/deep/a.txt'].map((name) => bytesOf(name).toString('hex'))).toEqual(['efbbbfc3a9', 'c3a9', 'e9'])
})

test('text that the charset cannot hold is written as UTF-8, and the agent is told', async () => {
  put('.editorconfig', '[*]\ncharset = latin1\n')
  const { output } = await bench.call('write_file', { file_path: 'a.txt', content: '日本\n' })
  expect(textOf(output)).toContain('Windows-1252, which .editorconfig asks for, lacks a character of it, so it is UTF-8.')
  expect(bytesOf('a.txt').toString()).toBe('日本\n')
})

test.each<[string, Uint8Array, Uint8Array]>([
  // Too few letters to detect the encoding.
  ['latin1', Buffer.from('prix: 5 \u00a4\u00d0\n', 'latin1'), Buffer.from('prix: 6 \u00a4\u00d0\n', 'latin1')],
  ['utf-16le', Buffer.from('prix: 5 \u00a4\u00d0\n', 'utf16le'), Buffer.from('prix: 6 \u00a4\u00d0\n', 'utf16le')],
])('a file whose bytes do not tell their encoding is read and edited in the charset %s', async (charset, before, after) => {
  put('a.txt', before)
  put('.editorconfig', `[*.txt]\ncharset = ${charset}\n`)
  expect(textOf((await bench.call('read_file', { file_path: 'a.txt' })).output)).toContain('prix: 5 \u00a4\u00d0')
  const edited = await bench.call('edit_file', { file_path: 'a.txt', old_string: '5 \u00a4', new_string: '6 \u00a4' })
  expect([edited.isError, bytesOf('a.txt')]).toEqual([false, Buffer.from(after)])
})
