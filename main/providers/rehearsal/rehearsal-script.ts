import { type History, historyOf, type PastCall } from './script-facts.ts'
import { bodyIn, isAbout, dayFileSoFar, proposedBody } from './sample-file-state.ts'
import { DAY_BODIES, DAY_FILE, type DayBody, INVOICES_FILE, TEST_FILES } from './sample-files.ts'
import type { ScriptedBlock } from './scripted-answer.ts'
import type { NodeForTests } from './node-for-sample-tests.ts'
import { readTestRun, testCommand } from './sample-test-run.ts'
import { answerToOther, WORDS } from './script-words.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { readConversation } from './read-conversation.ts'

/** The bodies in the order in which the script proposes them. The first one fixes the failing test and breaks another test. */
const PROPOSALS: readonly DayBody[] = ['split', 'matched', 'read in utc']
/** If the user's note contains one of these words, the script proposes the smallest edit. */
const ASKS_FOR_LESS = /\b(small|smaller|smallest|minimal|only|less|narrow|narrower|short|shorter|simple|simpler)\b/i
const [DAY_TEST, INVOICES_TEST] = TEST_FILES
/** Number of consecutive failed edits of one file after which the script gives up. */
const MAX_FAILURES = 3

/**
 * The script's next answer. It depends on what really happened: what was signed, refused, stopped or said. `node` is null if there is no
 * Node on this machine that can run the tests.
 */
export function nextAnswer(history: History, node: NodeForTests | null): readonly ScriptedBlock[] {
  const other = answerToOther(history)
  const blocks = act(history, node)
  const at = blocks.findIndex(({ kind }) => kind === 'text')
  return other === null
    ? blocks
    : blocks.map((block, index) => (index === at && block.kind === 'text' ? say(`${other}\n\n${block.text}`) : block))
}

function act(history: History, node: NodeForTests | null): readonly ScriptedBlock[] {
  const last = history.isNewTurn ? null : (history.calls.at(-1) ?? null)
  if (last?.outcome.kind === 'unasked') return [say(WORDS.nobodyAsked)]
  if (last?.outcome.kind === 'blocked') return [say(WORDS.blocked(last.outcome.text))]
  const reading = read(history)
  if (reading) return reading
  const body = bodyIn(dayFileSoFar(history) ?? '')
  if (body === null) return [say(WORDS.unknownFile)]
  return body === 'utc' ? propose(history, body, refusalOf(last) ?? WORDS.found) : check(history, body, node)
}

/**
 * Reads the failing test, then the code on which the test depends, and any file that has changed since it was read. Null if there is
 * nothing to read.
 */
function read(history: History): readonly ScriptedBlock[] | null {
  const unread = (file: string): boolean => !history.calls.some((call) => isRead(call, file))
  const outer = [INVOICES_TEST, INVOICES_FILE].filter(unread)
  const inner = [DAY_FILE, DAY_TEST].filter(unread)
  if (tried(history, [...outer, ...inner])) return [say(WORDS.unreadable)]
  if (outer.length > 0) return [...(history.hasSpoken ? [] : [thought(WORDS.plan)]), say(WORDS.begin), ...outer.map(readFile)]
  if (inner.length > 0) return [say(WORDS.deeper), ...inner.map(readFile)]
  const failures = failedEdits(history)
  if (failures === 0) return null
  return failures < MAX_FAILURES ? [say(WORDS.moved), readFile(DAY_FILE)] : [say(WORDS.movesTooMuch)]
}

const isRead = (call: PastCall, file: string): boolean => call.name === 'read_file' && call.outcome.kind === 'done' && isAbout(call, file)

function tried({ calls }: History, files: readonly string[]): boolean {
  return files.some((file) => calls.some((call) => call.name === 'read_file' && call.outcome.kind === 'failed' && isAbout(call, file)))
}

/** The number of edits that failed since the file was last read or changed. */
function failedEdits({ calls }: History): number {
  const about = calls.filter((call) => isAbout(call, DAY_FILE))
  const failed = about.length - 1 - about.findLastIndex((call) => call.outcome.kind === 'done')
  return about.slice(about.length - failed).filter((call) => call.name === 'edit_file' && call.outcome.kind === 'failed').length
}

function propose(history: History, body: DayBody, why: string): readonly ScriptedBlock[] {
  const refused = new Set(history.calls.filter((call) => call.outcome.kind === 'refused').map(proposedBody))
  const left = PROPOSALS.filter((other) => !refused.has(other) && other !== body && (body === 'utc' || other !== 'split'))
  const notes = history.calls.flatMap(({ outcome }) => (outcome.kind === 'refused' && outcome.note !== null ? [outcome.note] : []))
  const next = ASKS_FOR_LESS.test(notes.at(-1) ?? '') ? left.at(-1) : left[0]
  if (!next) return [say(`${why}\n\n${WORDS.nothingLeft(body)}`)]
  const args = { file_path: DAY_FILE, old_string: DAY_BODIES[body], new_string: DAY_BODIES[next] }
  return [say(`${why}\n\n${WORDS.proposal[next]}`), { kind: 'call', name: 'edit_file', args: JSON.stringify(args) }]
}

/** The step after an edit: runs the tests, or continues with their result. */
function check(history: History, body: DayBody, node: NodeForTests | null): readonly ScriptedBlock[] {
  const since = history.calls.slice(history.calls.findLastIndex((call) => proposedBody(call) !== null && call.outcome.kind === 'done') + 1)
  const last = since.findLast((call) => call.name === 'shell' || proposedBody(call) !== null)
  const isOpen = !last || last.outcome.kind === 'stopped' || (history.isNewTurn && last.outcome.kind === 'refused')
  const run = since.findLast((call) => call.name === 'shell' && (call.outcome.kind === 'done' || call.outcome.kind === 'failed'))
  if (!run) {
    if (!isOpen) return [say(`${refusalOf(last ?? null) ?? ''}\n\n${WORDS.unchecked}`.trim())]
    if (!node) return [say(WORDS.noNode)]
    const args = { command: testCommand(node), description: 'Run the tests of the sample' }
    return [say(history.isNewTurn || last ? WORDS.testAgain : WORDS.test), { kind: 'call', name: 'shell', args: JSON.stringify(args) }]
  }
  const result = readTestRun('text' in run.outcome ? run.outcome.text : '')
  if (result.kind === 'passed') return [say(history.isNewTurn ? WORDS.nothingToDo : WORDS.passed(result.passed, body))]
  if (result.kind === 'broken') return [say(WORDS.broken(result.words))]
  if (body !== 'split') return [say(WORDS.stillFails(result.names))]
  return propose(history, body, refusalOf(last ?? null) ?? WORDS.broke(result.names))
}

function refusalOf(call: PastCall | null): string | null {
  return call?.outcome.kind === 'refused' ? WORDS.refused(call.outcome.note) : null
}

const say = (text: string): ScriptedBlock => ({ kind: 'text', text })
const thought = (text: string): ScriptedBlock => ({ kind: 'thinking', text, signature: 'rehearsal' })
const readFile = (file: string): ScriptedBlock => ({ kind: 'call', name: 'read_file', args: JSON.stringify({ file_path: file }) })

/**
 * A model server on loopback that answers with the rehearsal's script. It waits `paceMs` milliseconds between two pieces of an answer.
 */
export function startScriptedModel(paceMs: number, node: NodeForTests | null): Promise<ModelServer> {
  return startModelServer((request) => ({
    kind: 'message',
    blocks: nextAnswer(historyOf(readConversation(request.json)), node),
    // The input is estimated at four characters per token, as in the rest of the app.
    usage: { input: Math.ceil(request.bytes.byteLength / 4), output: 60 },
    delivery: { paceMs },
  }))
}
