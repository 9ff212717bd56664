import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../../support/scripted-model.ts'
import { axeFindings } from '../support/axe-findings.ts'
import { expect, modelEnv, openProject, send, test as base } from '../support/desk-test.ts'
import { startLocalModelServer, type LocalModelServer } from '../support/local-model-server.ts'
import { keepPictures } from '../support/pictures.ts'
import { keepScreens } from '../support/screens.ts'

interface LocalFixtures {
  readonly serving: typeof startLocalModelServer
}

const test = base.extend<LocalFixtures>({
  serving: async ({}, use) => {
    const started: LocalModelServer[] = []
    await use(async (models, behind) => {
      const server = await startLocalModelServer(models, behind)
      started.push(server)
      return server
    })
    for (const server of started) server.close()
  },
})

const QWEN = { id: 'qwen3-coder:30b', object: 'model', owned_by: 'library' }
const LLAMA = { id: 'llama3.3:70b', object: 'model', owned_by: 'library' }
const OSS = { id: 'gpt-oss-20b', object: 'model', meta: { n_ctx: 32_768, n_ctx_train: 131_072 } }

test('a model server on this computer is offered at the first start, and one press starts a session with its model without a key', async ({
  page,
  places,
  model,
  desk,
  serving,
}, info) => {
  const scripted = await model(() => say('All of it stays here.'))
  const ollama = await serving([QWEN, LLAMA], scripted.url)
  const { address } = await desk({ env: { OLLAMA_HOST: `127.0.0.1:${ollama.port}` } })
  await page.goto(address)
  const way = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Use the models of Ollama' }) })
  await expect(way).toContainText(`Ollama runs on this computer at 127.0.0.1:${ollama.port} with 2 models.`)
  await way.getByRole('combobox', { name: 'Model of Ollama' }).click()
  await page.getByRole('option', { name: 'llama3.3:70b' }).click()
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'first-run')
  await way.getByRole('button', { name: 'Use Ollama' }).click()
  await expect(way).toContainText('New sessions use llama3.3:70b of Ollama. Open a folder to start.')
  await keepPictures(page, info, 'first-run-used')
  expect(JSON.parse(await readFile(join(places.data, 'settings.json'), 'utf8'))).toEqual({
    provider: 'openai-compatible',
    model: 'llama3.3:70b',
    baseUrls: { 'openai-compatible': `http://127.0.0.1:${ollama.port}/v1` },
  })

  await openProject(page, places.project)
  await expect(page.getByText('There is no key')).toHaveCount(0)
  await send(page, 'Where do you run?')
  await expect(page.getByRole('main')).toContainText('All of it stays here.')
  const { path, json, headers } = await scripted.request(0)
  expect([path, json['model'], headers['authorization'] ?? null]).toEqual(['/v1/chat/completions', 'llama3.3:70b', null])
})

test('the settings list each local model server that answers, let the user choose one, and search again on request', async ({
  page,
  model,
  desk,
  serving,
}, info) => {
  const scripted = await model(() => say('pong'))
  const ollama = await serving([QWEN], scripted.url)
  const llama = await serving([OSS], scripted.url)
  const { address } = await desk({ env: { OLLAMA_HOST: `127.0.0.1:${ollama.port}`, LLAMA_ARG_PORT: String(llama.port) } })
  await page.goto(address)
  await page.getByRole('heading', { name: 'Use the models of llama.cpp' }).waitFor()
  await page.keyboard.press('Control+,')
  const row = (label: string) => page.getByRole('row', { name: new RegExp(`^${label}`) })
  await expect(row('Ollama')).toContainText(`127.0.0.1:${ollama.port}, 1 model`)
  await expect(row('OpenAI-compatible')).toContainText('not set; many servers need none')
  await row('llama.cpp').getByRole('button', { name: 'Use llama.cpp' }).click()
  await expect(row('llama.cpp')).toContainText('Used by new sessions')
  await expect(page.getByRole('combobox', { name: 'Model of new sessions' })).toHaveText('gpt-oss-20b')
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'settings')
  await row('OpenAI-compatible').getByRole('button', { name: 'Test OpenAI-compatible server' }).click()
  await expect(row('OpenAI-compatible')).toContainText(/Works/)

  ollama.close()
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(row('Ollama')).toHaveCount(0)
  await expect(row('llama.cpp')).toContainText('Used by new sessions')
})

test('if a session’s provider has no key, a model on this computer is offered above the composer', async ({
  page,
  places,
  desk,
  serving,
}, info) => {
  const ollama = await serving([QWEN], 'http://127.0.0.1:9')
  const { address } = await desk({ env: { OLLAMA_HOST: `127.0.0.1:${ollama.port}` } })
  await page.goto(address)
  await openProject(page, places.project)
  const notice = page.getByRole('status').filter({ hasText: 'There is no key for' })
  await notice.getByRole('button', { name: 'Use Ollama' }).waitFor()
  await keepPictures(page, info, 'no-key')
  await notice.getByRole('button', { name: 'Use Ollama' }).click()
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveText('qwen3-coder:30b')
  await expect(notice).toHaveCount(0)
})

test('a session can switch to a model on this computer, and back, during its conversation', async ({
  page,
  places,
  model,
  desk,
  serving,
}, info) => {
  const scripted = await model(({ index }) => say(['From the service.', 'From this computer.', 'From the service again.'][index] ?? ''))
  const ollama = await serving([QWEN], scripted.url)
  const { address } = await desk({ env: { ...modelEnv(scripted), OLLAMA_HOST: `127.0.0.1:${ollama.port}` } })
  await page.goto(address)
  await openProject(page, places.project)
  const ledger = page.getByRole('list', { name: /^Ledger/ })
  const models = page.getByRole('combobox', { name: 'Model' })
  await send(page, 'First')
  await expect(ledger).toContainText('From the service.')
  const before = (await models.textContent()) ?? ''

  await models.click()
  await page.getByRole('option', { name: 'qwen3-coder:30b' }).waitFor()
  await keepPictures(page, info, 'models')
  // Models that arrived while the list was open must not change which option the keyboard has selected.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'qwen3-coder:30b' })).toHaveCount(0)
  await expect(models).toHaveText(before)
  await models.click()
  await page.getByRole('option', { name: 'qwen3-coder:30b' }).click()
  await expect(models).toHaveText('qwen3-coder:30b')
  await send(page, 'Second')
  await expect(ledger).toContainText('From this computer.')
  await page.reload()
  await expect(models).toHaveText('qwen3-coder:30b')

  await models.click()
  await page.getByRole('option', { name: before, exact: false }).first().click()
  await expect(models).toHaveText(before)
  await send(page, 'Third')
  await expect(ledger).toContainText('From the service again.')
  const asked = scripted.requests.map(({ path, json }) => [path, json['model']])
  expect(asked).toEqual([
    ['/v1/messages', before],
    ['/v1/chat/completions', 'qwen3-coder:30b'],
    ['/v1/messages', before],
  ])
})

test('a remote server’s model can be typed by name', async ({ page, places, model, desk }, info) => {
  const scripted = await model(() => say('By name.'))
  const { address } = await desk({ env: { OPENAI_COMPATIBLE_BASE_URL: `${scripted.url}/v1` } })
  await page.goto(address)
  await page.getByRole('button', { name: /Start rehearsal/ }).waitFor()
  await page.keyboard.press('Control+,')
  await page.getByRole('combobox', { name: 'Provider of the named model' }).click()
  await page.getByRole('option', { name: 'OpenAI-compatible server' }).click()
  const name = page.getByLabel('Name of the model')
  await name.fill('acme/large model')
  await expect(name).toHaveAccessibleDescription('A model’s name has no spaces.')
  await name.fill('acme/large-2')
  await keepScreens(page, info, 'settings-named-model')
  await name.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Model of new sessions' })).toHaveText('acme/large-2')
  await page.keyboard.press('Escape')
  await openProject(page, places.project)
  await send(page, 'Who are you?')
  await expect(page.getByRole('main')).toContainText('By name.')
  const { path, json } = await scripted.request(0)
  expect([path, json['model']]).toEqual(['/v1/chat/completions', 'acme/large-2'])
})

test('if a remote server has no address, the error links to the address field, and the request can be resumed once the address is set', async ({
  page,
  places,
  model,
  desk,
}, info) => {
  const scripted = await model(() => say('Found.'))
  await writeFile(join(places.data, 'settings.json'), JSON.stringify({ provider: 'openai-compatible', model: 'acme/large-2' }))
  const { address } = await desk()
  await page.goto(address)
  await openProject(page, places.project)
  await send(page, 'Who are you?')
  const trouble = page.locator('[data-tray=error]')
  await expect(trouble).toContainText('OpenAI-compatible server: no address is set.')
  await expect(trouble).toContainText('Press “Open settings” and correct the address, then press “Resume”.')
  expect(await axeFindings(page)).toEqual([])
  await keepPictures(page, info, 'no-address')
  await trouble.getByRole('button', { name: 'Open settings' }).click()
  const change = page.getByRole('button', { name: 'Set base URL of OpenAI-compatible server' })
  await expect(change).toBeFocused()
  await change.press('Enter')
  const url = page.getByRole('textbox', { name: 'Base URL of OpenAI-compatible server' })
  await url.fill(`${scripted.url}/v1`)
  await url.press('Enter')
  await expect(page.getByRole('button', { name: 'Change base URL of OpenAI-compatible server' })).toBeFocused()
  await page.keyboard.press('Escape')
  await trouble.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('main')).toContainText('Found.')
})
