import { call, calls, say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, test } from '../support/desk-test.ts'
import { composer, ledger, tray } from '../support/on-the-desk.ts'
import { keepPictures } from '../support/pictures.ts'

const COMPARE = {
  question: 'What should the test compare from now on?',
  options: [
    { label: 'The pages, drawn as pictures', description: 'slower by 9 s, catches every visible change' },
    { label: 'The text, the fonts and the page sizes', description: 'no slower, misses a moved logo' },
    { label: 'The bytes, as now', description: 'I pin the library at its current version' },
  ],
  default: ['The bytes, as now'],
}
const PARTS = {
  question: 'Which parts change?',
  options: [{ label: 'Worker' }, { label: 'Docs' }, { label: 'Command line' }],
  multiSelect: true,
}
const asks = (...questions: readonly object[]) => calls(call('ask_user_question', { questions }))

test('a question is answered with the keyboard alone: Ctrl J, a digit, Enter', async ({ page, opened }, info) => {
  const { scripted } = await opened([asks(COMPARE), say('I compare the text.')], 'Move the worker')
  await expect(tray(page)).toContainText('What should the test compare from now on?')
  await expect(tray(page).getByRole('radio', { name: /The bytes/u })).toBeChecked()
  await expect(tray(page).getByRole('button', { name: 'Answer', exact: true })).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+j')
  await page.keyboard.press('2')
  await expect(tray(page).getByRole('radio', { name: /The text, the fonts/u })).toBeChecked()
  await expect(tray(page).getByRole('radio', { name: /The text, the fonts/u })).toBeFocused()
  await keepPictures(page, info, 'question')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText('I compare the text.', { exact: true })).toBeVisible()
  await expect(ledger(page)).toContainText('The text, the fonts and the page sizes')
  expect(JSON.stringify(scripted.requests[1]?.body.messages.at(-1))).toContain('The text, the fonts and the page sizes')
})

test(
  'questions asked together wait until all of them are answered, even if the app is killed in between',
  { tag: '@slow' },
  async ({ page, opened, desk }, info) => {
    const { scripted, kill9 } = await opened([asks(PARTS, { question: 'Why now?' }), say('Two parts.')], 'Move the worker')
    await expect(tray(page)).toContainText('2 questions')
    const answer = tray(page).getByRole('button', { name: 'Answer', exact: true })
    await expect(answer).toHaveAttribute('aria-disabled', 'true')
    await tray(page).getByRole('button', { name: 'Answer later' }).click()
    await expect(tray(page).getByRole('checkbox')).toHaveCount(0)
    await kill9()
    const again = await desk({ env: { ANTHROPIC_API_KEY: 'sk-test-canary-0123456789', ANTHROPIC_BASE_URL: scripted.url } })
    await page.goto(again.address)
    await page
      .getByRole('navigation', { name: 'Sessions' })
      .getByRole('button', { name: /Move the worker/u })
      .first()
      .click()
    await tray(page).getByRole('checkbox', { name: 'Worker' }).check()
    await tray(page).getByRole('checkbox', { name: 'Command line' }).check()
    await tray(page).getByRole('textbox', { name: 'Your answer' }).fill('The old one leaks')
    await keepPictures(page, info, 'questions-several')
    await answer.click()
    await expect(page.getByText('Two parts.', { exact: true })).toBeVisible()
    expect(JSON.stringify(scripted.requests[1]?.body.messages.at(-1))).toMatch(/Worker, Command line.*The old one leaks/u)
  },
)

test(
  'a digit selects the option with that number, even if the tray does not have the focus, and in each of several questions',
  { tag: '@slow' },
  async ({ page, opened }, info) => {
    const { scripted } = await opened([asks(COMPARE, PARTS), say('As you say.')], 'Move the worker')
    await expect(tray(page)).toContainText('2 questions')
    await page.locator('body').evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('1')
    await expect(tray(page).getByRole('radio', { name: /The pages/u })).toBeChecked()
    await page.keyboard.press('Tab')
    await tray(page).getByRole('checkbox', { name: 'Worker' }).focus()
    await page.keyboard.press('2')
    await page.keyboard.press('3')
    await expect(tray(page).getByRole('checkbox', { name: 'Docs' })).toBeChecked()
    await expect(tray(page).getByRole('checkbox', { name: 'Command line' })).toBeChecked()
    await keepPictures(page, info, 'question-digits')
    await tray(page).getByRole('textbox').first().fill('1')
    await expect(tray(page).getByRole('textbox').first()).toHaveValue('1')
    await composer(page).fill('')
    await composer(page).press('2')
    await expect(composer(page)).toHaveValue('2')
    await expect(tray(page).getByRole('radio', { name: /The text/u })).not.toBeChecked()
    await tray(page).getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(page.getByText('As you say.', { exact: true })).toBeVisible()
    expect(JSON.stringify(scripted.requests[1]?.body.messages.at(-1))).toMatch(/Docs, Command line/u)
  },
)

test('answers that were not sent yet survive a switch to another session', { tag: '@slow' }, async ({ page, opened }) => {
  await opened([asks(PARTS, { question: 'Why now?' }), say('Two parts.')], 'Move the worker')
  await tray(page).getByRole('checkbox', { name: 'Docs' }).check()
  await tray(page).getByRole('textbox', { name: 'Your answer' }).fill('The old one leaks')
  await page.keyboard.press('Control+n')
  await expect(tray(page)).toHaveCount(0)
  await page.keyboard.press('Control+j')
  await expect(tray(page).getByRole('checkbox', { name: 'Docs' })).toBeChecked()
  await expect(tray(page).getByRole('textbox', { name: 'Your answer' })).toHaveValue('The old one leaks')
})
