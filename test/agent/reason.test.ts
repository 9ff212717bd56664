import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCall } from '../../main/agent/dispatch/prepare.ts'
import { byReader, changed, joined, modelOnly, personText, reason } from '../../main/agent/reason.ts'
import { failure } from '../../main/agent/tool-output.ts'
import { createReadFileTool } from '../../main/tools/built-in/read-file.ts'
import { createToolRegistry } from '../../main/agent/tool-registry.ts'

const advice = modelOnly('Use list_dir.')
const text = byReader('old_string', 'The text to replace')

test.each([
  [reason`src is a folder. ${advice}`, 'src is a folder. Use list_dir.', 'src is a folder.'],
  [
    reason`It has changed. ${advice} Nothing was written.`,
    'It has changed. Use list_dir. Nothing was written.',
    'It has changed. Nothing was written.',
  ],
  [reason`${advice} It failed.`, 'Use list_dir. It failed.', 'It failed.'],
  [reason`${text} was not found in ${3} files.`, 'old_string was not found in 3 files.', 'The text to replace was not found in 3 files.'],
  [
    reason`Edit 1 failed: ${reason`${text} is missing. ${advice}`}`,
    'Edit 1 failed: old_string is missing. Use list_dir.',
    'Edit 1 failed: The text to replace is missing.',
  ],
  [joined(['One.', advice, 'Two.']), 'One. Use list_dir. Two.', 'One. Two.'],
  [
    changed(reason`line 3: no name. ${advice}`, (said) => said.replace('line 3', 'line 4')),
    'line 4: no name. Use list_dir.',
    'line 4: no name.',
  ],
])('%s is read by the model as %j and by people as %j', (said, forModel, forPerson) => {
  expect([String(said), personText(said)]).toEqual([forModel, forPerson])
})

test('a failure shows people their version, and says that the call was not valid if it has none', () => {
  expect(failure(reason`src is a folder. ${advice}`)).toMatchObject({ output: 'src is a folder. Use list_dir.', shown: 'src is a folder.' })
  expect(failure(advice).shown).toBe('The agent’s call was not valid.')
  expect(failure('It failed.')).not.toHaveProperty('shown')
})

test('an unknown tool and wrong arguments are told to people without the names that only a model knows', () => {
  const ended = findCall({ toolName: 'open_door', argsText: '{}' }, 'tool_calls', createToolRegistry([]))
  expect(ended.kind === 'ended' && ended.output).toMatchObject({
    output: 'Unknown tool: open_door. There are no tools.',
    shown: 'The agent called a tool that does not exist.',
  })
})

test.each([
  [{}, 'The path is missing; it must be a string.'],
  [{ file_path: 1 }, 'The path must be a string, not 1.'],
  [{ file_path: 'a', offset: 'x' }, 'Offset must be a number, not "x".'],
])('of the arguments %j of a read, people read %j', (args, said) => {
  const valid = createReadFileTool().validate(args)
  expect(valid.ok ? '' : personText(valid.failure)).toBe(said)
})

/** A text in quotes or backticks, with what is inserted. */
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.|\$\{(?:[^{}`]|`[^`]*`)*\})*)`/gu

/** Calls whose texts only the model reads. */
const FOR_MODEL = /\b(?:modelOnly|byReader|doesNotExist)\([^()]*\)/gu

/** What people read of the tools' messages, as far as it stands in the source: the texts on lines that fail or return, without what is inserted. */
function messagesOfTools(): readonly string[] {
  const folder = join(import.meta.dirname, '../../main/tools')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8').replaceAll(/\(\s+/gu, '(').replaceAll(FOR_MODEL, '')
    const lines = source.split('\n').filter((line) => /\b(?:failure|rejected|failed|return|reason)\b/u.test(line))
    const texts = lines.flatMap((line) => [...line.matchAll(LITERAL)].map(([, plain, template]) => plain ?? template ?? ''))
    return texts.map((text) => text.replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/gu, 'It')).filter((text) => /\. |\.$/u.test(text))
  })
}

/** Sentences that instruct the model. */
const INSTRUCTION =
  /(?:^|[.!?] )(?:Add|Ask|Call|Check|Choose|Continue|Copy|Edit|Give|Include|Leave|List|Make the|Name|Put|Read|Repeat|Search|Send|Take|Try|Use|Write)\b/u

test('what tools tell people contains no name of a tool or argument, does not address the model and instructs nobody', () => {
  const messages = messagesOfTools()
  expect(messages.length).toBeGreaterThan(60)
  expect(messages.filter((said) => /\b[a-z]+_[a-z]+\b/u.test(said.replaceAll(/"[^"]*"|\S*[/.]\S+/gu, '')))).toEqual([])
  expect(messages.filter((said) => /\byou\b/iu.test(said))).toEqual([])
  expect(messages.filter((said) => INSTRUCTION.test(said))).toEqual([])
})
