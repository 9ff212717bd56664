import { expect, test } from 'vitest'
import type { Session } from '../../main/agent/session.ts'
import { defaultAnswers, questionsIn } from '../../main/headless/asking/ask-questions.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { defaultAnswer, type QuestionAnswer } from '../../shared/workflow/question.ts'
import type { SignatureReply } from '../../shared/workflow/signature-reply.ts'
import { answerCall, type Rig, waiting } from '../agent/support/rig.ts'
import { ends, only, resultsOf, rigFor } from '../agent/support/scripted-rig.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { approve, EVERYTHING, FOLDER, node, startServers } from './support/started-servers.ts'

const FORM = 'mcp__everything__trigger-elicitation-request'
const PAGE = 'mcp__everything__trigger-url-elicitation'
const ADDRESS = 'https://example.com/sign-in?ticket=7'

/** Opens a session with the tools of the reference server. The call of the tool is signed, and the server asks its question. */
async function asked(tool: string, args: Readonly<Record<string, unknown>> = {}, timeout?: number) {
  const servers = startServers({ everything: { ...node(EVERYTHING, 'stdio'), ...(timeout && { timeout }) } })
  await approve(servers, 'everything')
  const { rig, provider } = await rigFor([calls(call(tool, args)), say('Done.')], { tools: servers.tools(FOLDER).map(({ tool }) => tool) })
  rig.session.submit('go')
  answerCall(rig.session, (await waiting(rig.session))[0])
  return { rig, request: () => question(rig.session), result: () => resultsOf(provider.requests[1])[0] }
}

/** Resolves with the question that is waiting now. `but`: an earlier question to leave out. */
const question = (session: Session, but?: CallItem): Promise<CallItem> =>
  session.record.until(() => {
    const item = session.state().items.findLast((one): one is CallItem => one.kind === 'call')
    const isAsked = item?.status === 'waiting' && item.effects.some(({ kind }) => kind === 'question')
    return isAsked && item.approval?.approvalId !== but?.approval?.approvalId ? item : null
  }, new AbortController().signal)

function reply({ session }: Rig, { approval }: CallItem, given: SignatureReply) {
  if (!approval) throw new Error('Nothing waits.')
  const { approvalId, hash } = approval
  return session.answer({ approvalId, hash, answer: { kind: 'sign', reply: given }, from: 'terminal' })
}

/** Returns the default answers, with these answers in place of those at the same index. */
function answers(item: CallItem, own: Readonly<Record<number, QuestionAnswer>>): SignatureReply {
  return { kind: 'answers', answers: questionsIn(item.effects).map((one, at) => own[at] ?? defaultAnswer(one)) }
}

const said = (text: string): QuestionAnswer => ({ chosen: [], text })

test('a server’s form is shown as a request of the running call, and the call continues with the answers', async () => {
  const { rig, request, result } = await asked(FORM)
  const item = await request()
  expect(item.effects).toMatchObject([{ kind: 'question', from: { server: 'everything', address: null } }])
  expect(item.approval?.reason).toBe('The MCP server everything asks you something.')
  expect(rig.session.state().run).toBe('AWAITING_INPUT')
  reply(rig, item, answers(item, { 0: said('Ada'), 1: { chosen: ['No'], text: '' } }))
  await rig.session.idle()
  expect(result()).toEqual(['ok', expect.stringContaining('Name: Ada')])
  expect(result()?.[1]).toContain('Agreed to terms: false')
  expect(rig.replay().items.findLast((one) => one.kind === 'call')).toMatchObject({ status: 'done', effects: [{ kind: 'unknown' }] })
})

test('an invalid answer is requested again, with the reason and the previous answers', async () => {
  const { rig, request, result } = await asked(FORM)
  const first = await request()
  reply(rig, first, answers(first, { 0: said('Ada'), 3: said('nobody') }))
  const again = await question(rig.session, first)
  const questions = questionsIn(again.effects)
  expect(questions[3]?.question).toContain('“nobody” is not an email address.')
  expect(questions[0]?.default).toEqual(['Ada'])
  reply(rig, again, answers(again, { 3: said('ada@example.com') }))
  await rig.session.idle()
  expect(result()?.[1]).toContain('Email: ada@example.com')
})

test('if the user declines a form, the server learns this, and the result for the agent says so', async () => {
  const { rig, request, result } = await asked(FORM)
  answerCall(rig.session, await request(), null)
  await rig.session.idle()
  expect(result()).toEqual(['ok', expect.stringContaining('declined')])
})

test('a form that lacks a default for a required field is declined if nobody can answer', async () => {
  const { rig, request, result } = await asked(FORM)
  const item = await request()
  reply(rig, item, defaultAnswers(questionsIn(item.effects)))
  await rig.session.idle()
  expect(result()).toEqual(['ok', expect.stringContaining('declined')])
})

test('the time limit of a call is paused while the user is asked', async () => {
  const { rig, request, result } = await asked(FORM, {}, 5_000)
  const item = await request()
  await new Promise((resolve) => setTimeout(resolve, 5_500))
  reply(rig, item, answers(item, { 0: said('Ada') }))
  await rig.session.idle()
  expect(result()?.[1]).toContain('Name: Ada')
})

test.each([
  ['sends a request for it', false, [ADDRESS]],
  ['refuses the call until the page is opened', true, ['https://modelcontextprotocol.io', ADDRESS]],
])('a server that wants a page opened and %s: the full address is shown, and nothing is opened', async (_, errorPath, pages) => {
  const { rig, request, result } = await asked(PAGE, { url: ADDRESS, errorPath })
  let item = await request()
  for (const [at, page] of pages.entries()) {
    expect(item.effects).toMatchObject([{ kind: 'question', questions: [], from: { address: page } }])
    answerCall(rig.session, item)
    if (at < pages.length - 1) item = await question(rig.session, item)
  }
  await rig.session.idle()
  expect(result()).toEqual(['ok', expect.stringContaining('User completed the URL elicitation flow')])
})

test('stopping the turn withdraws the question and ends the call', async () => {
  const { rig, request } = await asked(FORM)
  await request()
  await rig.session.stop()
  expect(only(rig, 'APPROVAL_ANSWERED').at(-1)?.answer).toEqual({ kind: 'withdrawn', why: 'stopped' })
  expect(ends(rig)).toMatchObject([[expect.anything(), 'stopped']])
  expect(rig.session.state().run).toBe('IDLE')
})

test('after a crash the question is withdrawn, and the outcome of the call is unknown', async () => {
  const { rig, request } = await asked(FORM)
  await request()
  // The log is now as a killed process would leave it.
  const next = await rig.takeOver()
  expect(next.state().items.findLast((one) => one.kind === 'call')).toMatchObject({
    status: 'interrupted',
    approval: { answer: { kind: 'withdrawn', why: 'stopped' } },
  })
  expect(next.state().run).toBe('IDLE')
})
