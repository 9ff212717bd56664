import type { History } from './script-facts.ts'
import type { DayBody } from './sample-files.ts'

const CHANGED: Readonly<Record<Exclude<DayBody, 'utc' | 'split'>, string>> = {
  matched: 'reads the three numbers with a pattern instead of using `Date`, and still rejects text that is not a date',
  'read in utc': 'takes year, month and day in UTC, the time zone in which the text is read',
}

/** The texts of the script. They never claim anything that did not happen. */
export const WORDS = {
  plan: 'The failing test is about a month, so I start where the month is computed and follow the value back to the bug.',
  begin:
    'This is a rehearsal: a script answers here, and no model is asked. The tools, the signatures and the tests are real. First I read the failing test and the code that it tests.',
  deeper: '`periodOf` takes the month from `parseDay`, so `parseDay` already returns the wrong date. I read that file and its tests.',
  found:
    "Found it. `new Date('2026-03-01')` is midnight UTC, and `getMonth()` returns the local month. In New York that moment is still the evening of 28 February.",
  proposal: {
    utc: '',
    split: 'A calendar date does not need a time zone, so I split the text instead.',
    matched:
      'This one reads the three numbers with a pattern and keeps the check: text that does not look like a date is rejected, as before.',
    'read in utc': 'This is the smallest change: the check stays as it is, and year, month and day are taken in UTC.',
  } satisfies Record<DayBody, string>,
  // The note may come from a user, or from a script that plays the user, and may say anything.
  refused: (note: string | null) =>
    note === null
      ? 'Refused, without a note.'
      : `Refused, with the note: “${shortened(note)}” A script cannot act on a note; the next edit only shows how one proposal replaces another.`,
  test: 'The edit is done. Now I run the tests, with the Node that runs this app.',
  testAgain: 'The edit is done but not tested yet. I run the tests.',
  broke: (names: readonly string[]) =>
    `${listed(names)}. My edit removed the check together with \`new Date\`, so text that is not a date is no longer rejected. I put the check back.`,
  passed: (passed: number | null, body: DayBody) => {
    const count = passed === null ? 'All tests pass' : `All ${passed} tests pass`
    const change = body === 'utc' || body === 'split' ? '' : ` I changed \`parseDay\` in \`src/day.js\`: it now ${CHANGED[body]}.`
    return `${count}, including the one for New York.${change}\n\nThat was the rehearsal. Nothing left this computer. The session and the result of each step are saved.`
  },
  nothingToDo: 'The failing test is fixed, and the last run passed all tests. The rehearsal has nothing left to do.',
  stillFails: (names: readonly string[]) =>
    `${listed(names)}, and I do not know why: the script only knows the original project. I stop here. Nothing else was changed.`,
  broken: (words: string) => `The tests could not be run${words === '' ? '' : `: “${words}”`}. The edit is done but not tested.`,
  unchecked: 'So the edit is done but not tested. Send a message when I may run the tests.',
  nothingLeft: (body: DayBody) =>
    body === 'utc'
      ? 'That was the last of the edits that I can propose in a rehearsal. The file is unchanged, and its test still fails.'
      : 'That was the last of the edits that I can propose in a rehearsal. The file stays as you signed it, and a test fails.',
  noNode: 'The edit is done, but there is no Node here that can run the tests, so it is not tested.',
  nobodyAsked:
    'Nobody is there to sign, so nothing was changed and nothing was run. To run a rehearsal unattended, start it with `--approve all`.',
  blocked: (reason: string) => `${shortened(reason)} A rehearsal needs a mode in which edits and commands can be signed.`,
  moved: 'The edit did not apply: the file has changed since I read it. I read it again.',
  movesTooMuch: 'The file keeps changing between reading and editing it, so I stop. The last edit changed nothing.',
  unknownFile: '`src/day.js` is not the file that I know. The script only knows the original project, so I leave the file alone.',
  unreadable: 'A file of the sample cannot be read. The script only knows the original project, so I stop here.',
} as const

/** A task that contains one of these words asks for what the rehearsal does anyway. */
const SAMPLE_TASK = /\b(tests?|invoices?|february|march)\b/i

/** Returns the answer if the user asks for something that the rehearsal cannot do, otherwise null. */
export function answerToOther({ opening, said, hasSpoken }: History): string | null {
  const words = hasSpoken ? said.filter((text) => text !== '' && text !== 'Go on.') : [opening].filter((text) => !SAMPLE_TASK.test(text))
  const last = words.at(-1)
  return last === undefined
    ? null
    : `You asked: “${shortened(last)}” This is a rehearsal, in which I can only fix the failing test of this sample.`
}

function listed(names: readonly string[]): string {
  const [only] = names
  return names.length === 1 ? `The test “${only}” fails` : `${names.length} tests fail, “${only}” first`
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 159).trimEnd()}…` : line
}
