import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failureForPerson } from '../../main/agent/failure-for-person.ts'

test.each([
  [
    'a.ts exists and you have not read it. Read it first, or use edit_file to change a part of it.',
    'a.ts exists and the agent has not read it.',
  ],
  [
    'old_string was not found in src/old_string.ts. Nothing was changed. The closest lines are:\n     1\tlet a = 1',
    'The text to replace was not found in src/old_string.ts. Nothing was changed. The closest lines are:\n     1\tlet a = 1',
  ],
  [
    'old_string occurs 2 times in a.ts, beginning at lines 1, 9. Nothing was changed. Add lines around it until it is unique, or set replace_all.',
    'The text to replace occurs 2 times in a.ts, beginning at lines 1, 9. Nothing was changed.',
  ],
  ['src is a folder. Use list_dir.', 'src is a folder.'],
  ['docs/a.md has changed since you read it. Read it again before you change it.', 'docs/a.md has changed since the agent read it.'],
  ['my_notes.md does not exist.', 'my_notes.md does not exist.'],
  ['"snake_case" is not there.', '"snake_case" is not there.'],
  [
    'Invalid arguments for write_file: The arguments are nested more than 128 levels deep; send them with less nesting.',
    'The arguments are nested more than 128 levels deep.',
  ],
  ['Invalid arguments for read_file: file_path is missing; it must be a string.', 'The path is missing; it must be a string.'],
  ['Invalid arguments for grep: output_mode must be one of "content".', 'Output_mode must be one of "content".'],
  ['Unknown tool: open_door. There is: read_file, grep.', 'The agent called a tool that does not exist.'],
  ['Use read_file.', 'The agent’s call was not valid.'],
  ['', ''],
])('%j is shown to the user as %j', (modelText, shown) => {
  expect(failureForPerson(modelText)).toBe(shown)
})

/**
 * Returns the literal messages of the tools: every sentence in quotes or backticks after `failure(`, `rejected(`, `failed(` or `return`.
 */
function messagesOfTools(): readonly string[] {
  const folder = join(import.meta.dirname, '../../main/tools')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8')
    const calls = source.matchAll(/\b(?:failure|rejected|failed|return)\(?\s*(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/gu)
    return [...calls]
      .map(([, plain, template]) =>
        (plain ?? template ?? '').replaceAll(/\$\{[^}]*\}(?= [A-Z])/gu, 'It failed.').replaceAll(/\$\{[^}]*\}/gu, 'a.ts'),
      )
      .filter((text) => /\. |\.$/u.test(text))
  })
}

test('no tool message for a user contains the name of a tool or argument, or addresses the model', () => {
  const messages = messagesOfTools()
  expect(messages.length).toBeGreaterThan(60)
  const told = messages.map((text) => failureForPerson(text).split('\n', 1)[0] ?? '')
  expect(told.filter((text) => /\b[a-z]+_[a-z]+\b/u.test(text.replaceAll(/"[^"]*"|\S*[/.]\S+/gu, '')))).toEqual([])
  expect(told.filter((text) => /\byou\b/iu.test(text))).toEqual([])
  expect(told.filter((text) => /\b(?:Use|Read it|Send|Make the call)\b/u.test(text))).toEqual([])
})
