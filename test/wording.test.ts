import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Phrases that were in the interface and were rewritten in plain English. None of them may come back. Text that varies
 * from place to place is left out of each phrase.
 */
const REWRITTEN: readonly string[] = [
  // These three phrases were for one action, which is now called "Resume".
  'Ask again from here',
  'Resume from here',
  'Asking again',
  'Send “Go on”',
  'then go on.',
  'to go on with as much again',
  // These were in the texts about approval.
  'needs your signature in mode',
  'steps are taken in mode',
  'reckons with what',
  'words do not tell',
  'what cannot be brought back',
  'Barred in',
  'Barred by',
  'is barred',
  'cannot be shown beforehand',
  'Signed ahead',
  'What always asks still asks',
  'a command that can destroy',
  // These were in the texts about pictures, compaction and messages.
  'that it should still see',
  'Undone, it',
  'Undone, the',
  'has got it.',
  'of all sides',
  'stands for its older part',
  'Nothing was half done',
  'was carried out.',
  'Said with pictures alone',
  // These were in the texts about sessions and connections.
  'was read anew',
  'or begin anew',
  'was started anew',
  'opened anew',
  'Nobody has said yet',
  'was ended while this turn was under way',
  'Under way',
  'the session that sent it',
  // These were in the texts about errors.
  'Something in Countersign itself failed',
  'came to no natural end',
  'did not come to its end',
  'links go in a circle',
  'does not let go',
  'This is no key',
  'no picture that models take',
  'by its bytes it is',
  'could not be kept in the history',
  'without saying that it is whole',
  'cannot be found any more',
  // These were in the texts about settings.
  'Of one that names no limit itself',
  'So long without a byte',
  'asks whether to go on',
  'unless you set another number',
  'Silence of a model',
  'the answer comes on top',
  'What a session begins with',
  'what destroys ask',
  // These were in the texts about paths, patches and files.
  'is not there any more',
  'is not stored any more',
  'lies behind the end of',
  'leads upwards behind a wildcard',
  'no text is replaced. Change',
  'stands before "*** Begin Patch"',
  'Everything as it was.',
  'asks for the command by its words',
  // These were in the texts about rights and settings.
  'the agent is told',
  'Let it out',
  'let it out',
  'Leave as it is',
  'has no blanks',
  'lies on another',
  'can be laid over',
  // These were in the texts about modes, moves of the conversation and undos.
  'in mode plan',
  'Mode full:',
  'Work in mode',
  'Take the conversation back',
  'Took the conversation back',
  'Bring the conversation back',
  'Take it back…',
  'Take back the undo',
  'Take back in',
  // These were in the texts about reviews, comments and pictures.
  'Compare with now',
  'Against what I saw',
  'Keep comment',
  'Replay alone',
  'show it large',
  'what was read of',
]

/** Files whose texts people read. Prompts and tool descriptions are for models; `docs/prompts` shows them. */
function sources(): readonly { readonly name: string; readonly lines: readonly string[] }[] {
  const root = join(import.meta.dirname, '..')
  return ['main', 'renderer', 'shared'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/u.test(name))
      .map((name) => ({ name: join(folder, name), lines: readFileSync(join(root, folder, name), 'utf8').split('\n') })),
  )
}

const isComment = (line: string): boolean => /^\s*(?:\*|\/\/|\/\*)/u.test(line)

test('phrases that have been rewritten do not return to the interface', () => {
  const found = sources().flatMap(({ name, lines }) =>
    lines.flatMap((line, at) =>
      isComment(line) ? [] : REWRITTEN.filter((phrase) => line.includes(phrase)).map((phrase) => `${name}:${at + 1}: ${phrase}`),
    ),
  )
  expect(found).toEqual([])
})

test('the interface speaks of signing, refusing and blocking, and never as “we”', () => {
  const words = /(['"`>])(?:OK|Submit|Approve|Deny|Oops|Sorry|Please wait)\b|\b(?:we are|we have|we will|our AI)\b/u
  const found = sources()
    .filter(({ name }) => name.startsWith('renderer'))
    .flatMap(({ name, lines }) =>
      lines.flatMap((line, at) => (!isComment(line) && words.test(line) ? [`${name}:${at + 1}: ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})

/** Technical terms and model names that look like ids. */
const KNOWN_IDS = /\b(?:UTF|SHA|ISO|ECMA|RFC|GPT|AES|CVE)-\d+/gu

test('comments cite no requirement ids and no sections of other documents', () => {
  const cited = /\b[A-Z]{1,3}\d?-\d+\b|§|\b(?:section|rule|class|fault|item) C?\d|\([A-Z]\d{1,2}\)/u
  const found = sources().flatMap(({ name, lines }) =>
    lines.flatMap((line, at) => {
      const comment = /^\s*(?:\*|\/\*)/u.test(line) ? line : (/(?:^|\s)\/\/ .*$/u.exec(line)?.[0] ?? '')
      return cited.test(comment.replaceAll(KNOWN_IDS, '')) ? [`${name}:${at + 1}: ${comment.trim()}`] : []
    }),
  )
  expect(found).toEqual([])
})
