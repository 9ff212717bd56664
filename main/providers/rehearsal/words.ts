import type { History } from './history.ts'
import type { DayBody } from './sample-files.ts'

const CHANGED: Readonly<Record<Exclude<DayBody, 'utc' | 'split'>, string>> = {
  matched: 'takes the three numbers out of the text instead of asking a clock, and still refuses what is no day',
  'read in utc': 'looks at the day in Greenwich, where it was read',
}

/** What the script says. It never claims what did not happen. */
export const WORDS = {
  plan: 'The failing test is about a month, so I begin where months are made and follow the value back to where it goes wrong.',
  begin:
    'This is a rehearsal: a script answers here, and no model is asked. The tools, the signatures and the tests are real. First I look at the test that fails and at what it tests.',
  deeper:
    '`periodOf` takes its month from `parseDay`, so the day is already wrong when it gets there. I look at that file and at its tests.',
  found:
    "Found. `new Date('2026-03-01')` is midnight in Greenwich, and `getMonth()` asks for the month here. At a desk in New York that moment is still the evening of 28 February.",
  proposal: {
    utc: '',
    split: 'A calendar day needs no clock at all, so I take the text apart instead.',
    matched: 'This one reads the three numbers with a pattern and keeps the check: what has not the form of a day is refused, as before.',
    'read in utc': 'This one is the smallest: the check stays as it is, and the day is looked at where it was read, in Greenwich.',
  } satisfies Record<DayBody, string>,
  // The note may come from a person or from the script that plays one, and may say anything.
  refused: (note: string | null) =>
    note === null
      ? 'Refused, without a note.'
      : `Refused, with the note: “${shortened(note)}” A script cannot follow a note: what comes next only shows how another edit takes its place.`,
  test: 'The edit is in place. Now the tests, with the Node that runs this app.',
  testAgain: 'The edit is in place and not tested yet. I run the tests.',
  broke: (names: readonly string[]) =>
    `${listed(names)}. Together with \`new Date\` my edit dropped the check, so that text which is no day is no longer refused. I put it back.`,
  passed: (passed: number | null, body: DayBody) => {
    const count = passed === null ? 'All tests pass' : `All ${passed} tests pass`
    const change =
      body === 'utc' || body === 'split' ? '' : ` Changed is the inside of \`parseDay\` in \`src/day.js\`: it ${CHANGED[body]}.`
    return `${count}, the one at the desk in New York among them.${change}\n\nThat was the rehearsal. Nothing of it has left this computer. The session and what each of its steps did are kept.`
  },
  nothingToDo: 'The test is mended and all tests passed when I ran them last. There is nothing more that I can do here.',
  stillFails: (names: readonly string[]) =>
    `${listed(names)}, and I do not know why: the script knows this project only as it came. I stop here. Nothing else was changed.`,
  broken: (words: string) => `The tests could not be run${words === '' ? '' : `: “${words}”`}. The edit is in place and not checked.`,
  unchecked: 'So the edit is in place and not checked. Send a message when I may run the tests.',
  nothingLeft: (body: DayBody) =>
    body === 'utc'
      ? 'That was the last of the edits that I can propose in a rehearsal. The file is as it was, and its test still fails.'
      : 'That was the last of the edits that I can propose in a rehearsal. The file stays as you signed it, and a test fails.',
  noNode: 'The edit is in place, but there is no Node here that could run the tests, so it is not checked.',
  nobodyAsked:
    'Nobody is there who could sign, so nothing was changed and nothing was run. To let a rehearsal pass by itself, start it with `--approve all`.',
  barred: (reason: string) => `${shortened(reason)} A rehearsal needs a mode in which edits and commands can be signed.`,
  moved: 'The edit did not fit: the file is no longer as I read it. I read it once more.',
  movesTooMuch: 'The file changes faster than I can read it. I stop here; nothing of mine is half done.',
  unknownFile: '`src/day.js` is not as I know it. The script knows this project only as it came, so I leave the file alone.',
  unreadable: 'A file of the sample cannot be read. The script knows this project only as it came, so I stop here.',
} as const

/** What the rehearsal does anyway, in whatever words it is asked for. */
const THE_MATTER = /\b(tests?|invoices?|february|march)\b/i

/** The answer to what the person said beside the matter; null: nothing. */
export function heard({ opening, said, hasSpoken }: History): string | null {
  const words = hasSpoken ? said.filter((text) => text !== '' && text !== 'Go on.') : [opening].filter((text) => !THE_MATTER.test(text))
  const last = words.at(-1)
  return last === undefined
    ? null
    : `You asked: “${shortened(last)}” This is a rehearsal, in which I can only mend the failing test of this sample.`
}

function listed(names: readonly string[]): string {
  const [only] = names
  return names.length === 1 ? `The test “${only}” fails` : `${names.length} tests fail, “${only}” first`
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 159).trimEnd()}…` : line
}
